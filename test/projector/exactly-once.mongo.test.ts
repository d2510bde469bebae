// Exactly once (rules/projecting.md#checkpoint-first): each record is applied once, whatever is delivered, by which
// process and how often.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, LogRecord } from '../../src/event-log/event-log.ts';
import { Pipeline } from '../../src/projector/partition/pipeline.ts';
import { FencedError } from '../../src/store/database-errors.ts';
import { claimPartition } from '../../src/store/writing/checkpoints.ts';
import { NO_WRITES, openCommitSession } from '../../src/store/writing/commit.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, row } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { applyChunk } from './apply-chunk.ts';
import { anotherClient, createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump, openTestStore } from './test-store.ts';

const mongo = useMongo(test);

function events(count: number): object[] {
  const eventOf = eventMaker('budget-1');
  const rows = Array.from({ length: count - 2 }, (_, index) => row(`row-${index}`));
  return [CREATED, account('home', true), ...rows].map(draft => eventOf(draft));
}

async function sceneWith(count: number): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('once'));
  scene.eventLog.add(...events(count));
  return scene;
}

async function balance({ store }: PartitionScene) {
  const account = await store.collections.accounts.findOne({ id: 'home' });
  return account && { count: account.count, uncleared: account.uncleared };
}

test('a batch that is delivered twice is applied once', async t => {
  const scene = await sceneWith(7);
  const { apply, eventLog, store, claim } = scene;
  const claimed = await claim();
  const once = await apply(claimed, eventLog.records);
  const before = await dump(store);
  const again = await apply(once, eventLog.records);
  t.deepEqual(again, once);
  t.deepEqual(await dump(store), before);
  t.deepEqual(await balance(scene), { count: 5, uncleared: -500 });
  t.is(again.next, 7);
});

test('only the rest of a batch that begins below next is applied', async t => {
  const scene = await sceneWith(9);
  const { apply, eventLog } = scene;
  const claimed = await scene.claim();
  const half = await apply(claimed, eventLog.records.slice(0, 5));
  const whole = await apply(half, eventLog.records.slice(2));
  t.is(whole.next, 9);
  t.like(await scene.head('budget-1'), { sequence: 9, held: null });
  t.deepEqual(await balance(scene), { count: 7, uncleared: -700 });
});

test('a batch that begins above next is requested again, and is DATA_LOSS the second time', async t => {
  const { context, eventLog, store, lines, take } = await sceneWith(6);
  const pipeline = new Pipeline(context, await take());
  const before = await dump(store);
  const batch = batchOf(eventLog.records.slice(1), 1, 6);
  t.is(await pipeline.apply(batch), 0);
  t.is(await pipeline.apply(batch), 'halt');
  const fatal = lines.filter(({ level }) => level === 60).map(({ msg }) => msg);
  t.deepEqual(fatal, [
    'DATA_LOSS in the test log, partition 0: expected offset 0 next, but the log goes on at 1',
  ]);
  t.deepEqual(await dump(store), before);
});

test('the requested records arrive the second time, and nothing is lost', async t => {
  const { context, eventLog, take, head } = await sceneWith(6);
  const pipeline = new Pipeline(context, await take());
  t.is(await pipeline.apply(batchOf(eventLog.records.slice(1), 1, 6)), 0);
  t.is(await pipeline.apply(batchOf(eventLog.records, 0, 6)), 6);
  t.like(await head('budget-1'), { sequence: 6, held: null });
});

test('offsets without a visible record are passed, at the beginning, in between and at the end', async t => {
  const { context, eventLog, store, take, head } = await sceneWith(4);
  const offsets = [2, 3, 6, 7];
  const records = eventLog.records.map((record, n) => ({ ...record, offset: offsets[n] ?? 0 }));
  const pipeline = new Pipeline(context, await take());
  t.is(await pipeline.apply(batchOf([], 0, 2)), 2);
  t.is(await pipeline.apply(batchOf(records.slice(0, 2), 2, 5)), 5);
  t.is(await pipeline.apply(batchOf(records.slice(2), 5, 9)), 9);
  t.is(await pipeline.apply(batchOf([], 9, 10)), 10);
  t.like(await head('budget-1'), { sequence: 4, held: null });
  const checkpoint = await store.collections.checkpoints.findOne({ _id: 0 });
  t.is(checkpoint?.next, 10);
  t.deepEqual(
    checkpoint?.fingerprints.map(({ offset }) => offset),
    [0, 7],
  );
});

test('a fenced owner returns that the partition is lost, and writes nothing', async t => {
  const { context, eventLog, store, claim, take } = await sceneWith(6);
  const pipeline = new Pipeline(context, await take());
  await claim('another');
  const before = await dump(store);
  t.is(await pipeline.apply(batchOf(eventLog.records, 0, 6)), 'lost');
  t.deepEqual(await dump(store), before);
});

function batchOf(records: readonly LogRecord[], from: number, to: number): Batch {
  const { signal } = new AbortController();
  const bounds = { start: 0, end: to };
  return { partition: 0, from, to, records, bounds, heartbeat: async () => {}, signal };
}

test('a batch may be cut anywhere, and each chunk calls the heartbeat', async t => {
  const { apply, eventLog, claim } = await sceneWith(6);
  let current = await claim();
  let beats = 0;
  for (const record of eventLog.records) {
    const heartbeat = async () => {
      beats += 1;
    };
    current = await apply(current, [record], { heartbeat });
  }
  t.is(current.next, 6);
  t.is(beats, 6);
});

test('one of two owners of a partition is fenced and writes nothing', async t => {
  const { apply, context, eventLog, store, claim } = await sceneWith(8);
  const first = await claim('first');
  const applied = await apply(first, eventLog.records.slice(0, 4));
  const second = await claim('second');
  t.is(second.epoch, first.epoch + 1);
  t.is(second.next, 4);
  const before = await dump(store);
  const { limits } = context;
  await t.throwsAsync(
    applyChunk(
      store,
      { records: eventLog.records.slice(4), next: eventLog.records.length },
      { claim: applied, limits },
    ),
    {
      instanceOf: FencedError,
      message: 'Expected partition 0 at offset 4 under epoch 1, got another checkpoint',
    },
  );
  await t.throwsAsync(apply(applied, eventLog.records), { message: 'The outcome is lost' });
  t.deepEqual(await dump(store), before);
  const rest = await apply(second, eventLog.records);
  t.is(rest.next, 8);
});

test('an owner that stalls in a transaction does not delay the next owner', async t => {
  const { apply, eventLog, store, claim } = await sceneWith(5);
  const client = await anotherClient(mongo.url);
  t.teardown(() => client.close());
  const moved = new Promise(resolve => {
    client.on('commandSucceeded', ({ commandName }) => commandName === 'update' && resolve(null));
  });
  const { collections } = await openTestStore(client.db(store.collections.heads.dbName));
  const stuck = { insertMany: () => new Promise(() => {}) };
  const session = openCommitSession(client, { ...collections, waiting: stuck as never });
  const { epoch } = await claimPartition(collections.checkpoints, {
    partition: 0,
    owner: 'stopped',
    sessions: session.ids,
    partitions: 1,
  });
  const checkpoint = { partition: 0, epoch, from: 0, to: 5, fingerprints: [] };
  session
    .commit({ ...NO_WRITES, checkpoints: [checkpoint], waiting: [{} as never] })
    .catch(() => {});
  await moved;
  // The stalled owner has moved the checkpoint in its transaction, and never commits.
  const claimed = await Promise.race([claim('next'), sleep(40_000, null, { ref: false })]);
  t.truthy(claimed, 'the claim waited for the transaction of the former owner');
  if (claimed) t.is((await apply(claimed, eventLog.records)).next, 5);
});
