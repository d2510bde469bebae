// Somebody else changes a stream between two reads of a fold: nothing is parked or applied because of that.
import type { EventLog } from '../../src/event-log/event-log.ts';
import { retryHeld } from '../../src/projector/operate/parked.ts';
import { drain } from '../../src/projector/queue/drain.ts';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { generationCollections } from '../../src/store/collections.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { category, group, payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { hand, pipelineOf } from './hand-over.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';

const LIMITS = { rowsMax: 1000 };
const { signal } = new AbortController();
const mongo = useMongo(test);

/** What an operator's process does: it has a session of its own. */
function rebuild({ db, store, eventLog }: PartitionScene, log: EventLog = eventLog) {
  const session = openCommitSession(mongo.client, generationCollections(db, 'g1'));
  const options = { eventLog: log, limits: LIMITS, now: new Date(), signal };
  return rebuildStream({ ...store, session }, 'budget-1', options);
}

interface Begun {
  finish(): ReturnType<typeof rebuild>;
}

/** Begins a rebuild, which holds the stream and reads the log when it is to finish. */
function beginRebuild(scene: PartitionScene): Promise<Begun> {
  return new Promise((resolve, reject) => {
    let finish = () => {};
    const mayFinish = new Promise<void>(go => {
      finish = go;
    });
    const log = beforeScan(scene.eventLog, async () => {
      resolve({
        finish() {
          finish();
          return rebuilding;
        },
      });
      await mayFinish;
    });
    const rebuilding = rebuild(scene, log);
    rebuilding.catch(reject);
  });
}

test('an event that breaks on a set that was swept is folded again with the new one', async t => {
  const scene = await createPartitionScene(mongo.database('broken'));
  const eventOf = eventMaker('budget-1');
  await scene.tell(
    ...[CREATED, group('needs', 'envelope'), category('food', 'needs')].map(draft =>
      eventOf(draft),
    ),
  );
  const renamed = {
    type: 'category.renamed',
    data: { categoryId: 'food', name: 'Meals' },
  } as const;
  const deleted = {
    type: 'category.deleted',
    data: { categoryId: 'food', replacementCategoryId: null },
  } as const;
  scene.eventLog.add(...[renamed, deleted].map(draft => eventOf(draft)));
  // The pipeline keeps the category and not its group.
  const pipeline = await pipelineOf(scene);
  t.is(await hand(pipeline, scene, { from: 3, count: 1 }), 4);
  await pipeline.leave();
  const before = await scene.head('budget-1');
  const after = await rebuild(scene);
  t.not(after?.set, before?.set);
  while (pipeline.claim.next < 5) {
    await hand(pipeline, scene, { from: pipeline.claim.next, count: 1 });
  }
  t.like(await scene.head('budget-1'), { set: after?.set, sequence: 5, held: null });
  t.is(await scene.store.collections.categories.countDocuments({ set: after?.set ?? '' }), 0);
});

test('a queue is not drained while a rebuild that has just begun holds its stream', async t => {
  const scene = await createPartitionScene(mongo.database('drained'));
  const { store } = scene;
  const eventOf = eventMaker('budget-1');
  await scene.tell(...[CREATED, payee('a'), payee('a'), payee('b')].map(draft => eventOf(draft)));
  const before = await scene.head('budget-1');
  t.like(before, { sequence: 2, held: { why: 'parked' } });
  await store.decisions.remember(
    { subject: 'budget-1', sequence: 3, eventId: 'budget-1.3' },
    new Date(),
  );
  const { load } = store.decisions;
  let begun: Begun | undefined;
  // A drain loads the decisions after its first look at the head.
  store.decisions.load = async () => {
    store.decisions.load = load;
    begun = await beginRebuild(scene);
    return load();
  };
  t.like(await retryHeld(store, 'budget-1', LIMITS), { sequence: 2, held: { why: 'change' } });
  const after = await begun?.finish();
  t.not(after?.set, before?.set);
  t.like(await scene.head('budget-1'), { set: after?.set, sequence: 4, held: null });
});

test('two drains at once leave a queue with as many events as its head says', async t => {
  const scene = await createPartitionScene(mongo.database('twice'));
  const { store } = scene;
  const eventOf = eventMaker('budget-1');
  const names = ['a', 'a', 'b', 'b', 'c'];
  await scene.tell(eventOf(CREATED), ...names.map(name => eventOf(payee(name))));
  t.like(await scene.head('budget-1'), { sequence: 2, held: { queued: 4 } });
  const skipped = { subject: 'budget-1', sequence: 3, eventId: 'budget-1.3' };
  await store.decisions.remember(skipped, new Date());
  const { heads } = store.collections;
  const session = openCommitSession(mongo.client, store.collections);
  let isFirst = true;
  const find = (...args: Parameters<typeof heads.find>) => ({
    async toArray() {
      if (isFirst) {
        isFirst = false;
        await drain(scene.context, 'budget-1');
      }
      return await heads.find(...args).toArray();
    },
  });
  const findOne = heads.findOne.bind(heads);
  const late = { ...store.collections, heads: { find, findOne } } as never;
  const context = { ...scene.context, store: { ...store, session, collections: late } };
  t.like(await drain(context, 'budget-1'), { sequence: 4, held: { why: 'parked', queued: 2 } });
  t.deepEqual(await scene.queue('budget-1'), [5, 6]);
});

test('the last drain of a rebuild does not free what the next rebuild holds', async t => {
  const scene = await createPartitionScene(mongo.database('next'));
  const { store, context } = scene;
  await scene.tell(eventMaker('budget-1')(CREATED));
  const first = await beginRebuild(scene);
  const { shadowSets } = store.collections;
  let begun: Begun | undefined;
  const findOne = async (filter: object) => {
    const found = await shadowSets.findOne(filter);
    if (found === null) begun ??= await beginRebuild(scene);
    return found;
  };
  // As far as the swap; then this drain comes, as the first rebuild's own one would.
  const held = (await scene.head('budget-1'))?.held ?? null;
  const after = await first.finish();
  t.like(held, { why: 'change', reason: 'An operator has it rebuilt' });
  await store.collections.heads.updateOne({ _id: 'budget-1' }, { $set: { held } });
  const late = { ...store.collections, shadowSets: { findOne } } as never;
  await drain({ ...context, store: { ...store, collections: late } }, 'budget-1');
  t.like(await scene.head('budget-1'), { set: after?.set, held: { why: 'change' } });
  const last = await begun?.finish();
  t.not(last?.set, after?.set);
  t.like(await scene.head('budget-1'), { set: last?.set, held: null });
});

test('a rebuild that fails while the next one takes its place says why it failed', async t => {
  const scene = await createPartitionScene(mongo.database('fails'));
  const { store, eventLog } = scene;
  await scene.tell(eventMaker('budget-1')(CREATED));
  let hasFailed = false;
  const log = beforeScan(eventLog, () => {
    hasFailed = true;
    throw new Error('The disk is broken');
  });
  const { shadowSets } = store.collections;
  let begun: Begun | undefined;
  const findOne = async (filter: object) => {
    const found = await shadowSets.findOne(filter);
    if (hasFailed) begun ??= await beginRebuild(scene);
    return found;
  };
  const updateOne = shadowSets.updateOne.bind(shadowSets);
  const late = { ...store.collections, shadowSets: { findOne, updateOne } } as never;
  const failing = rebuild({ ...scene, store: { ...store, collections: late } }, log);
  await t.throwsAsync(failing, { message: 'The disk is broken' });
  const after = await begun?.finish();
  t.like(await scene.head('budget-1'), { set: after?.set, held: null });
  t.is(await shadowSets.countDocuments(), 0);
});
