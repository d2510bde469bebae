// The stored parking alarm: one count for all who park, by the database's clock.
import type { ExecutionContext } from 'ava';
import type { ClientSession } from 'mongodb';
import type { Head } from '../../../projections/documents.ts';
import { newHead } from '../../../projections/new-head.ts';
import {
  createCollections,
  type GenerationCollections,
  generationCollections,
} from '../../../src/store/collections.ts';
import { FencedError, isTransient } from '../../../src/store/database-errors.ts';
import { claimPartition } from '../../../src/store/writing/checkpoints.ts';
import { NO_WRITES, openCommitSession } from '../../../src/store/writing/commit.ts';
import {
  countParked,
  freeCheckpoint,
  PausedError,
  pauseCheckpoints,
  pauseGeneration,
  readPause,
  resumeGeneration,
  TooManyParkedError,
} from '../../../src/store/writing/parking-alarm.ts';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';

const mongo = useMongo(test);

const SECOND_MS = 1000;

async function store(): Promise<GenerationCollections> {
  const db = mongo.database('alarm');
  await createCollections(db, 'g1');
  return generationCollections(db, 'g1');
}

let streams = 0;
/** A new stream, parked. */
function parkedHead() {
  streams += 1;
  const held = { since: '', why: 'parked', reason: 'Bad', queued: 1 } as const;
  return { loaded: null, now: { ...newHead(`stream-${streams}`, 0), held } };
}

/** Parks so many streams in one transaction. */
function park(collections: GenerationCollections, count: number): Promise<void> {
  const heads = Array.from({ length: count }, parkedHead);
  return openCommitSession(mongo.client, collections).commit({ ...NO_WRITES, heads });
}

const alarmOf = ({ alarms }: GenerationCollections) => alarms.findOne({ _id: 'parking' });

/** As if that much time had passed. */
async function pass(collections: GenerationCollections, ms: number): Promise<void> {
  const earlier = (field: string) => ({ $subtract: [field, ms] });
  const $map = {
    input: '$buckets',
    in: { at: earlier('$$this.at'), parked: '$$this.parked' },
  };
  const set = { buckets: { $map }, disarmedUntil: earlier('$disarmedUntil') };
  await collections.alarms.updateOne({ _id: 'parking' }, [{ $set: set }]);
}

async function tripped(t: ExecutionContext, collections: GenerationCollections, count = 1) {
  const error = await t.throwsAsync(park(collections, count), { instanceOf: TooManyParkedError });
  if (!error) throw new Error('Expected too many parked streams');
  return error;
}

test('the 20th stream is not parked, whichever processes parked the others', async t => {
  const collections = await store();
  for (const count of [5, 1, 13]) await park(collections, count);
  const { message, examples } = await tripped(t, collections);
  t.is(message, '20 of 20 streams would have been parked within 60 s');
  t.deepEqual(
    examples.map(({ reason }) => reason),
    ['Bad'],
  );
  t.is(await collections.heads.countDocuments(), 19);
  await t.notThrowsAsync(park(collections, 0));
  await tripped(t, collections);
});

test('streams that are freed and parked again are not more streams', async t => {
  const collections = await store();
  const session = openCommitSession(mongo.client, collections);
  const bad = Array.from({ length: 14 }, parkedHead).map(({ now }) => now);
  const free = bad.map(({ held: _, ...head }) => ({ ...head, held: null }));
  const change = (from: readonly Head[], to: readonly Head[]) =>
    session.commit({
      ...NO_WRITES,
      heads: to.map((now, index) => ({ loaded: from[index] ?? null, now })),
    });
  await change([], bad);
  for (const _ of [1, 2]) {
    await change(bad, free);
    await change(free, bad);
  }
  t.is(await collections.heads.countDocuments({ 'held.why': 'parked' }), 14);
  t.is(await readPause(collections), null);
  await tripped(t, collections, 6);
});

test('a small share of many streams may park', async t => {
  const collections = await store();
  const heads = Array.from({ length: 190 }, (_, index) => newHead(`good-${index}`, 0));
  const changes = heads.map(now => ({ loaded: null, now }));
  await openCommitSession(mongo.client, collections).commit({ ...NO_WRITES, heads: changes });
  t.is(await alarmOf(collections), null, 'what parks nothing does not touch the alarm');
  await park(collections, 19);
  await park(collections, 1);
  await tripped(t, collections, 2);
});

test('the window slides: what was parked more than a minute ago counts no more', async t => {
  const collections = await store();
  await park(collections, 10);
  await pass(collections, 40 * SECOND_MS);
  await park(collections, 9);
  await tripped(t, collections);
  await pass(collections, 30 * SECOND_MS);
  await park(collections, 10);
  await tripped(t, collections);
});

test('many transactions leave a bounded alarm', async t => {
  const collections = await store();
  for (let index = 0; index < 40; index += 1) {
    await park(collections, 1);
    await pass(collections, 6 * SECOND_MS);
  }
  const { buckets = [] } = (await alarmOf(collections)) ?? {};
  t.true(buckets.length <= 13, `${buckets.length} buckets`);
});

test('what a clock that was set back left in the future counts no more', async t => {
  const collections = await store();
  await park(collections, 19);
  await pass(collections, -3600 * SECOND_MS);
  await t.notThrowsAsync(park(collections, 19));
  await tripped(t, collections);
});

test('streams that an operator parks do not count', async t => {
  const collections = await store();
  const heads = Array.from({ length: 30 }, parkedHead);
  await openCommitSession(mongo.client, collections, false).commit({ ...NO_WRITES, heads });
  t.is(await collections.heads.countDocuments(), 30);
  t.is(await alarmOf(collections), null);
});

async function transaction(run: (session: ClientSession) => Promise<void>): Promise<void> {
  const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const;
  await mongo.client.withSession(async session => {
    session.startTransaction(options);
    await run(session);
    await session.commitTransaction();
  });
}

test('two transactions that park at once conflict, and both count in the end', async t => {
  const collections = await store();
  await park(collections, 1);
  let conflict: unknown = null;
  await transaction(async session => {
    const parking = { parked: [parkedHead()], streams: 2 };
    await countParked(collections.alarms, parking, session);
    conflict = await park(collections, 1).catch(error => error);
  });
  t.true(isTransient(conflict), String(conflict));
  await park(collections, 1);
  const { buckets = [] } = (await alarmOf(collections)) ?? {};
  t.is(
    buckets.reduce((sum, { parked }) => sum + parked, 0),
    3,
  );
});

async function claimed(collections: GenerationCollections, partition: number) {
  const { checkpoints } = collections;
  const { epoch, next, fingerprints } = await claimPartition(checkpoints, {
    partition,
    owner: 'me',
    sessions: [],
    partitions: 2,
  });
  const checkpoint = { partition, epoch, from: next, to: next + 1, fingerprints };
  const session = openCommitSession(mongo.client, collections);
  return { move: () => session.commit({ ...NO_WRITES, checkpoints: [checkpoint] }) };
}

test('a pause stops all partitions, and the resume frees them', async t => {
  const collections = await store();
  const first = await claimed(collections, 0);
  const second = await claimed(collections, 1);
  await park(collections, 19);
  const error = await tripped(t, collections);
  await pauseGeneration(collections, error);
  t.like(await readPause(collections), { reason: error.message, examples: error.examples });
  for (const { move } of [first, second]) await t.throwsAsync(move, { instanceOf: FencedError });
  await t.throwsAsync(park(collections, 1), { instanceOf: PausedError });
  t.like(await resumeGeneration(collections), { reason: error.message });
  t.is(await readPause(collections), null);
  t.is(await resumeGeneration(collections), null);
  for (const { move } of [first, second]) await t.notThrowsAsync(move);
});

test('after a resume the alarm is off until a minute has passed without parking', async t => {
  const collections = await store();
  await park(collections, 19);
  await pauseGeneration(collections, await tripped(t, collections));
  await resumeGeneration(collections);
  for (let index = 0; index < 3; index += 1) {
    await park(collections, 30);
    await pass(collections, 50 * SECOND_MS);
  }
  await pass(collections, 20 * SECOND_MS);
  await park(collections, 9);
  await park(collections, 1);
  t.like(await alarmOf(collections), { disarmedUntil: null });
  await tripped(t, collections, 10);
});

test('a process that pauses late does not pause what an operator has resumed', async t => {
  const collections = await store();
  await park(collections, 19);
  const [early, late] = [await tripped(t, collections), await tripped(t, collections)];
  await pauseGeneration(collections, early);
  await resumeGeneration(collections);
  await pauseGeneration(collections, late);
  t.is(await readPause(collections), null);
});

test('a process that was killed between alarm and checkpoints leaves work that another completes', async t => {
  const collections = await store();
  const { move } = await claimed(collections, 0);
  await park(collections, 19);
  await pauseGeneration(collections, await tripped(t, collections));
  await collections.checkpoints.updateMany({}, { $unset: { paused: '' } });
  await pauseCheckpoints(collections);
  await t.throwsAsync(move, { instanceOf: FencedError });
});

test('a mark that a late process leaves after the resume is removed by the owner', async t => {
  const collections = await store();
  const { move } = await claimed(collections, 0);
  await park(collections, 19);
  await pauseGeneration(collections, await tripped(t, collections));
  t.not(await freeCheckpoint(collections, 0), null);
  const marked = await collections.checkpoints.findOne({ _id: 0 });
  await resumeGeneration(collections);
  await collections.checkpoints.updateOne({ _id: 0 }, { $set: { paused: marked?.paused ?? 0 } });
  await t.throwsAsync(move, { instanceOf: FencedError });
  t.is(await freeCheckpoint(collections, 0), null);
  await t.notThrowsAsync(move);
});

test('a claim leaves the pause in place', async t => {
  const collections = await store();
  await claimed(collections, 0);
  await park(collections, 19);
  await pauseGeneration(collections, await tripped(t, collections));
  const { move } = await claimed(collections, 0);
  await t.throwsAsync(move, { instanceOf: FencedError });
});
