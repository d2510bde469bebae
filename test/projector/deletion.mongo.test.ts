// budget.deleted removes every trace of the budget from the read model, even on a held stream; only its id and its last
// sequence stay (rules/events.md#removals-and-deletions). Unreferenced documents are swept in steps that may be interrupted.
import type { Collection, Document } from 'mongodb';
import { readStoredStreams } from '../../src/store/stored-streams.ts';
import { sweep } from '../../src/store/writing/sweep.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { payee, row, transfer } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { eventMaker, FURNISHED } from '../projections/story.ts';
import { committing } from './committing.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

const DELETE: Draft = { type: 'budget.deleted', data: {} };
const FULL: readonly Draft[] = [
  ...FURNISHED,
  row('row-2', { date: '2019-07-01', categoryId: 'rent', memo: 'note' }),
  transfer('row-3', ['home', 'house']),
  row('row-4'),
  { type: 'transaction.deleted', data: { transactionId: 'row-4' } },
];
const OF_SETS = [
  'rows',
  'accounts',
  'accountDays',
  'accountMonths',
  'categoryMonths',
  'categories',
  'groups',
  'payees',
  'labels',
  'years',
  'monthSums',
  'memoBlocks',
  'tombstones',
] as const;

function story(subject: string, drafts: readonly Draft[]): LogEvent[] {
  const eventOf = eventMaker(subject);
  return drafts.map(draft => eventOf(draft));
}

/** Returns how many documents of each kind a document set has. */
async function counts({ store }: PartitionScene, set: string): Promise<Record<string, number>> {
  const found: [string, number][] = [];
  for (const name of OF_SETS) {
    const collection = store.collections[name] as unknown as Collection<Document>;
    found.push([name, await collection.countDocuments({ set })]);
  }
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}

async function twoBudgets(signal?: AbortSignal): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('deletion'), signal ? { signal } : {});
  await scene.tell(...story('budget-1', FULL), ...story('budget-2', FULL));
  return scene;
}

const deletedHead = (sequence: number) => ({
  id: 'budget-1',
  partition: 0,
  sequence,
  eventId: null,
  set: null,
  held: null,
  budget: null,
  space: null,
  deleted: true,
});
const next = FULL.length + 1;

test('a deletion sweeps everything of its budget, and nothing of another', async t => {
  const scene = await twoBudgets();
  const other = await counts(scene, `0-${FULL.length}`);
  t.is(Object.keys(other).length, OF_SETS.length);
  t.deepEqual(await counts(scene, '0-0'), other);
  await scene.tell(eventMaker('budget-1')(DELETE, { sequence: next }));
  t.deepEqual(await counts(scene, '0-0'), {});
  t.deepEqual(await counts(scene, `0-${FULL.length}`), other);
  t.deepEqual(await scene.head('budget-1'), deletedHead(next));
  t.is(await scene.store.collections.sweeps.countDocuments(), 0);
});

test('a deletion erases the queue of a parked stream at once', async t => {
  const scene = await twoBudgets();
  const eventOf = eventMaker('budget-1');
  const secret = eventOf(payee('shop'), { sequence: next });
  await scene.tell(secret, eventOf(payee('x'), { sequence: next + 1 }));
  t.deepEqual(await scene.queue('budget-1'), [next, next + 1]);
  await scene.tell(eventOf(DELETE, { sequence: next + 2 }));
  t.deepEqual(await scene.queue('budget-1'), []);
  t.deepEqual(await counts(scene, '0-0'), {});
  t.deepEqual(await scene.head('budget-1'), deletedHead(next + 2));
});

test('a deletion takes effect beyond a gap, and later events are dropped without their payload', async t => {
  const scene = await twoBudgets();
  const eventOf = eventMaker('budget-1');
  await scene.tell(eventOf(payee('x'), { sequence: next + 3 }));
  await scene.tell(
    eventOf(DELETE, { sequence: next + 9 }),
    eventOf(payee('y'), { sequence: next + 1 }),
    eventOf(payee('z'), { sequence: next + 10 }),
    eventOf(payee('bad'), { sequence: next + 11, schemaversion: 9 }),
    { key: 'budget-1', raw: 'garbage' },
  );
  t.deepEqual(await scene.head('budget-1'), deletedHead(next + 9));
  t.is(await scene.store.collections.waiting.countDocuments(), 0);
  t.deepEqual(await counts(scene, '0-0'), {});
});

test('a budget that is created, parked and deleted in one chunk leaves only its tombstone', async t => {
  const scene = await createPartitionScene(mongo.database('deletion'));
  const events = story('budget-1', [...FULL, payee('shop'), payee('x'), DELETE]);
  await scene.tell(...events);
  t.deepEqual(await scene.head('budget-1'), deletedHead(FULL.length + 3));
  t.deepEqual(await counts(scene, '0-0'), {});
  t.is(await scene.store.collections.waiting.countDocuments(), 0);
});

/** Deletes the first budget; the process is asked to stop as the chunk commits. */
async function stoppedOnceDeleted(scene: PartitionScene, stopping: AbortController) {
  const claimed = await scene.claim();
  scene.eventLog.add(eventMaker('budget-1')(DELETE, { sequence: next }));
  const store = committing(scene.store, async (_, pass) => {
    await pass();
    stopping.abort();
  });
  await scene.apply(claimed, scene.eventLog.records, { context: { ...scene.context, store } });
}

test('an interrupted sweep continues at the next claim', async t => {
  const stopping = new AbortController();
  const scene = await twoBudgets(stopping.signal);
  const { sweeps, rows } = scene.store.collections;
  await stoppedOnceDeleted(scene, stopping);
  t.deepEqual(await scene.head('budget-1'), deletedHead(next));
  t.deepEqual(await sweeps.find().toArray(), [{ _id: '0-0' }]);
  t.true((await rows.countDocuments({ set: '0-0' })) > 0);
  const restarted = await createPartitionScene(scene.db, { eventLog: scene.eventLog });
  await restarted.claim();
  t.deepEqual(await counts(restarted, '0-0'), {});
  t.is(await sweeps.countDocuments(), 0);
});

test('a sweep may be interrupted between any two collections', async t => {
  const scene = await twoBudgets();
  const { collections } = scene.store;
  await collections.sweeps.insertOne({ _id: '0-0' });
  for (let steps = 1; steps <= OF_SETS.length; steps += 1) {
    await sweep(collections, AbortSignal.abort());
    t.is(Object.keys(await counts(scene, '0-0')).length, OF_SETS.length - steps);
    t.is(await collections.sweeps.countDocuments(), 1);
  }
  await sweep(collections, new AbortController().signal);
  t.is(await collections.sweeps.countDocuments(), 0);
  t.is(Object.keys(await counts(scene, `0-${FULL.length}`)).length, OF_SETS.length);
});

test('a long queue is erased after the deletion, in steps, and verification sees none of it', async t => {
  const stopping = new AbortController();
  const scene = await twoBudgets(stopping.signal);
  const { heads, waiting, sweeps } = scene.store.collections;
  const queued = 5001;
  const held = { since: '2026-01-01T00:00:00.000Z', why: 'gap', reason: 'x', queued } as const;
  await heads.updateOne({ _id: 'budget-1' }, { $set: { held } });
  const entries = Array.from({ length: queued }, (_, index) => {
    const sequence = next + 1 + index;
    const place = { partition: 0, offset: 1000 + index, sequence };
    return {
      ...place,
      _id: `budget-1/${sequence}`,
      subject: 'budget-1',
      eventId: 'e',
      value: '{}',
    };
  });
  await waiting.insertMany(entries);
  await stoppedOnceDeleted(scene, stopping);
  t.deepEqual(await scene.head('budget-1'), deletedHead(next));
  t.deepEqual(await sweeps.find({ _id: /^queue/ }).toArray(), [{ _id: 'queue/budget-1' }]);
  t.is(await waiting.countDocuments(), queued);
  const all = { partition: 0, streams: ['budget-1'], eventsMax: 100_000 };
  const stored = await readStoredStreams(scene.db, 'g1', all);
  t.is(stored.queues.get('budget-1'), undefined);
  const restarted = await createPartitionScene(scene.db, { eventLog: scene.eventLog });
  await restarted.claim();
  await restarted.context.shadowSets.idle();
  t.is(await waiting.countDocuments(), 0);
  t.is(await sweeps.countDocuments(), 0);
});
