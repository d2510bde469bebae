// A big change of a budget with thousands of payees: what does not follow from rows is written in steps too, and another
// process goes on after any of them.

import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { writeShadowSet } from '../../src/projector/shadow/write-shadow-set.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { documentsOf } from '../../src/store/collections.ts';
import { StaleError } from '../../src/store/database-errors.ts';
import type { FoldWrites } from '../../src/store/writing/commit.ts';
import { sweep } from '../../src/store/writing/sweep.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, payee, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { committing } from './committing.ts';
import { createPartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

const PAYEES = 4100;
const STEP_MAX = 2000;
const ROWS_MAX = 3;
const BUDGET = 'budget-1';

function story() {
  const eventOf = eventMaker(BUDGET) as (draft: object) => LogEvent;
  const rows = Array.from({ length: ROWS_MAX + 1 }, (_, index) => row(`row-${index}`));
  const payees = Array.from({ length: PAYEES }, (_, index) => payee(`p-${index}`));
  const before = [CREATED, account('home'), ...rows, ...payees].map(eventOf);
  eventOf(payee('missing'));
  const renamed = eventOf({ type: 'account.renamed', data: { accountId: 'home', name: 'New' } });
  return { before, renamed };
}

/** Returns a projector's scene whose queue has begun the change, and a way to write steps of it as a process. */
async function beginChange(name: string) {
  const { before, renamed } = story();
  const db = mongo.database(name);
  // The change begins from the queue, and the first projector is gone by then.
  const stopping = new AbortController();
  const scene = await createPartitionScene(db, { rowsMax: ROWS_MAX, signal: stopping.signal });
  await scene.tell(...before);
  await scene.tell(renamed);
  stopping.abort();
  await scene.context.shadowSets.idle();
  const limits = { rowsMax: ROWS_MAX };
  await skipHeld(scene.store, BUDGET, { missing: true, limits, now: new Date() });
  const { store } = scene;
  const { shadowSets } = store.collections;
  const writeAs = async (owner: string, { signal, ...changed }: WriteOptions = {}) => {
    await shadowSets.updateOne({ _id: BUDGET }, { $set: { owner } });
    const never = new AbortController().signal;
    return await writeShadowSet({ ...store, ...changed }, BUDGET, {
      owner,
      signal: signal ?? never,
    });
  };
  return { db, before, scene, store, writeAs };
}

interface WriteOptions extends Partial<Pick<ProjectorStore, 'session' | 'collections'>> {
  readonly signal?: AbortSignal;
}

/** Returns a session whose process gets one step done. */
function dyingSession(store: ProjectorStore, done: (writes: FoldWrites) => void) {
  const dying = new AbortController();
  const { session } = committing(store, async (writes, pass) => {
    await pass();
    done(writes);
    dying.abort();
  });
  return { session, signal: dying.signal };
}

test('a large catalogue is written in steps, and each may be the last of a process', async t => {
  const { db, before, scene, store, writeAs } = await beginChange('big_catalogue');
  const { shadowSets, payees } = store.collections;
  const sizes: number[] = [];
  const count = (writes: FoldWrites) => {
    let size = 0;
    for (const { inserts, updates } of writes.documents.values()) {
      size += [...inserts].length + updates.length;
    }
    sizes.push(size);
  };
  for (let process = 0; (await shadowSets.countDocuments()) > 0; process += 1) {
    await writeAs(`process-${process}`, dyingSession(store, count));
  }
  t.true(
    sizes.every(size => size <= STEP_MAX),
    String(sizes),
  );
  t.true(sizes.filter(size => size > 0).length >= 4, String(sizes));
  const next = await createPartitionScene(db, { eventLog: scene.eventLog });
  await next.project();
  const head = await next.head(BUDGET);
  t.like(head, { sequence: before.length + 2, held: null });
  t.is(await payees.countDocuments({ set: head?.set ?? '' }), PAYEES);
  const { accounts } = store.collections;
  t.like(await accounts.findOne({ _id: `${head?.set}/home` }), { name: 'New' });
});

test('a process that lost the change leaves the set alone that another has swapped in', async t => {
  const { scene, store, writeAs } = await beginChange('lost_change');
  const { collections } = store;
  await writeAs(
    'first',
    dyingSession(store, () => undefined),
  );
  t.regex((await collections.shadowSets.findOne({ _id: BUDGET }))?.cursor ?? '', /^1\/\d+$/);
  // It stands still before it reads the old set, until the next owner has written the change and swept that set.
  const find = (...query: [object]) => {
    const toArray = async () => {
      if ((await writeAs('other')) === 'done') {
        await sweep(collections, new AbortController().signal);
      }
      return await collections.accounts.find(...query).toArray();
    };
    return { toArray };
  };
  const accounts = Object.create(collections.accounts, {
    db: { value: { collection: () => ({ find }) } },
  }) as typeof collections.accounts;
  const writing = writeAs('slow', { collections: { ...collections, accounts } });
  await t.throwsAsync(writing, { instanceOf: StaleError });
  const head = await scene.head(BUDGET);
  const { set } = head ?? {};
  t.is(head?.held, null);
  t.is(await collections.payees.countDocuments({ set: set ?? '' }), PAYEES);
  t.is(await collections.rows.countDocuments({ set: set ?? '' }), ROWS_MAX + 1);
  t.like(await collections.accounts.findOne({ _id: `${set}/home` }), { name: 'New' });
});

test('parts that another release wrote are removed in steps before the stream is parked', async t => {
  const { scene, store, writeAs } = await beginChange('refused_change');
  const { shadowSets, accounts, payees } = store.collections;
  await writeAs(
    'first',
    dyingSession(store, () => undefined),
  );
  await writeAs(
    'second',
    dyingSession(store, () => undefined),
  );
  const { set = '' } = (await shadowSets.findOne({ _id: BUDGET })) ?? {};
  t.true((await payees.countDocuments({ set })) + (await accounts.countDocuments({ set })) > 0);
  // To this release the account is unknown.
  const head = await scene.head(BUDGET);
  await accounts.deleteOne({ _id: `${head?.set}/home` });
  const cursors: (string | null)[] = [];
  const see = ({ shadowStep }: FoldWrites) => cursors.push(shadowStep?.to?.cursor ?? null);
  for (let process = 0; (await shadowSets.countDocuments()) > 0; process += 1) {
    await writeAs(`process-${process}`, dyingSession(store, see));
  }
  t.true(cursors.length > 1, String(cursors));
  t.true(
    cursors.slice(0, -1).every(cursor => cursor?.startsWith('removed ')),
    String(cursors),
  );
  t.like((await scene.head(BUDGET))?.held, {
    why: 'parked',
    reason: 'Unknown or deleted account home',
  });
  for (const kind of DOCUMENT_KINDS) {
    t.is(await documentsOf(store.collections, kind).countDocuments({ set }), 0, kind);
  }
});
