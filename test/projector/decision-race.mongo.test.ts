// An operator gives up a sequence while it arrives: it is applied or given up, live as in a rebuild, never both.
import { skipHeld } from '../../src/projector/operate/parked.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { beforeCommit } from './committing.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

const LIMITS = { rowsMax: 100 };

/** Returns a scene where the second of four events is missing, and is next in the log. */
async function waiting(): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('race'));
  const drafts: Draft[] = [CREATED, payee('a'), payee('b'), payee('c')];
  const [created, missing, ...rest] = drafts.map(
    eventMaker('budget-1') as (draft: Draft) => LogEvent,
  );
  await scene.tell(created ?? {}, ...rest);
  scene.eventLog.add(missing ?? {});
  return scene;
}

function skip(scene: PartitionScene, store: ProjectorStore = scene.store) {
  return skipHeld(store, 'budget-1', {
    missing: true,
    limits: LIMITS,
    now: new Date(),
  });
}

/** Returns the documents that a rebuild makes from the log and the decisions. */
async function rebuilt(scene: PartitionScene): Promise<string[]> {
  const { db, eventLog } = scene;
  const fresh = await createPartitionScene(db, { generation: 'g2', eventLog });
  await fresh.project();
  return documentsOf(await dump(fresh.store));
}

const documentsOf = (lines: string[]) => lines.filter(line => /^(heads|payees) /.test(line));

test('a sequence that arrives between the check and the decision is not given up', async t => {
  const scene = await waiting();
  const late = beforeCommit(scene.store, () => scene.project());
  await t.throwsAsync(skip(scene, late), {
    message:
      'Nothing was skipped: the missing sequence 2 no longer holds stream budget-1; now it is not held',
  });
  t.like(await scene.head('budget-1'), { sequence: 4, held: null });
  t.is(await scene.store.collections.payees.countDocuments(), 3);
  t.deepEqual(documentsOf(await dump(scene.store)), await rebuilt(scene));
});

test('a chunk is folded again if its sequence is given up during the fold', async t => {
  const scene = await waiting();
  const claimed = await scene.claim();
  const { store } = scene;
  const context = { ...scene.context, store: beforeCommit(store, () => skip(scene)) };
  await scene.apply(claimed, scene.eventLog.records, { context });
  t.like(await scene.head('budget-1'), { sequence: 4, held: null });
  t.is(await store.collections.payees.countDocuments(), 2);
  t.deepEqual(documentsOf(await dump(store)), await rebuilt(scene));
});
