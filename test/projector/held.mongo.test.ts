// Held streams (rules/projecting.md#held): their events wait, their documents stay unchanged, all other streams continue.
import { progressOf } from '../../src/projector/catch-up.ts';
import { retryHeld, skipHeld } from '../../src/projector/operate/parked.ts';
import { CHANGED_ROWS_MAX } from '../../src/projector/projector.ts';
import { HELD_STREAMS } from '../../src/store/heads.ts';
import { TooManyParkedError } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, payee, row, timeOf } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { applyChunk } from './apply-chunk.ts';
import { committing } from './committing.ts';
import { differencesIn } from './differences-in.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

const scene = (rowsMax = CHANGED_ROWS_MAX) =>
  createPartitionScene(mongo.database('held'), { rowsMax });

function story(subject: string, ...drafts: readonly Draft[]): LogEvent[] {
  const eventOf = eventMaker(subject);
  return drafts.map(draft => eventOf(draft));
}

const payees = (count: number) => Array.from({ length: count }, (_, index) => payee(`p${index}`));
const names = async ({ store }: PartitionScene) =>
  (await store.collections.payees.find().sort({ _id: 1 }).toArray()).map(({ id }) => id);

test('an invalid event parks only its own stream', async t => {
  const here = await scene();
  const bad = story('budget-1', CREATED, payee('p'), payee('p'), payee('q'));
  const good = story('budget-2', CREATED, payee('r'));
  await here.tell(...bad.slice(0, 3), ...good, ...bad.slice(3));
  t.like(await here.head('budget-1'), {
    sequence: 2,
    held: { since: timeOf(3), why: 'parked', reason: 'The payee p is there already', queued: 2 },
  });
  t.like(await here.head('budget-2'), { sequence: 2, held: null });
  t.deepEqual(await here.queue('budget-1'), [3, 4]);
  t.deepEqual(await names(here), ['p', 'r']);
  // The same events wait only once.
  here.eventLog.add(...bad);
  await here.project();
  t.deepEqual(await here.queue('budget-1'), [3, 4]);
  t.is((await here.head('budget-1'))?.held?.queued, 2);
});

test('a retry leaves the reason of a record without a value as it is', async t => {
  const here = await scene();
  await here.tell(...story('budget-1', CREATED), { key: 'budget-1', raw: null });
  const before = await here.head('budget-1');
  t.is(before?.held?.reason, 'Expected an event, got a record without a value');
  await retryHeld(here.store, 'budget-1', { rowsMax: CHANGED_ROWS_MAX });
  t.deepEqual(await here.head('budget-1'), before);
});

test('skip drops the event that holds the stream, whatever lower sequences arrived later', async t => {
  const here = await scene();
  const [created, bad, next] = story('budget-1', CREATED, payee('q'), payee('r')) as LogEvent[];
  const closed = { ...bad, type: 'account.closed', data: { accountId: 'none' } };
  const conflict = { ...created, id: 'another', time: '2024-05-05T00:00:00Z' };
  await here.tell(created as object, closed, conflict, next as object);
  const limits = { rowsMax: CHANGED_ROWS_MAX };
  const skip = () => skipHeld(here.store, 'budget-1', { missing: false, limits, now: new Date() });
  t.is((await here.head('budget-1'))?.held?.since, timeOf(2));
  // Without the skipped event the conflict would have been a duplicate when it arrived.
  t.like(await skip(), { sequence: 3, held: null });
  t.deepEqual(await here.queue('budget-1'), []);
});

test('held streams are found through their index, in one partition too', async t => {
  const here = await scene();
  await here.tell(
    ...story('budget-1', CREATED, payee('p'), payee('p')),
    ...story('budget-2', CREATED),
  );
  for (const filter of [HELD_STREAMS, { ...HELD_STREAMS, partition: 0 }]) {
    const found = here.store.collections.heads.find(filter);
    t.deepEqual(
      (await found.clone().toArray()).map(({ _id }) => _id),
      ['budget-1'],
    );
    t.regex(JSON.stringify(await found.explain('queryPlanner')), /"indexName":"held.why_1"/);
  }
});

test('a gap closes up to the next one, and the stream is held since the first event that still waits', async t => {
  const here = await scene();
  const events = story('budget-1', CREATED, ...payees(7));
  const at = (...sequences: number[]) =>
    sequences.map(sequence => events[sequence - 1] as LogEvent);
  await here.tell(...at(1, 8, 6));
  const reasonOf = (got: number) => `Expected sequence 2, got ${got}`;
  const held = { since: timeOf(8), why: 'gap' };
  t.like(await here.head('budget-1'), {
    sequence: 1,
    held: { ...held, reason: reasonOf(6), queued: 2 },
  });
  await here.tell(...at(3));
  t.like(await here.head('budget-1'), {
    sequence: 1,
    held: { ...held, reason: reasonOf(3), queued: 3 },
  });
  t.deepEqual(await differencesIn(here), []);
  await here.tell(...at(2));
  t.like(await here.head('budget-1'), {
    sequence: 3,
    held: { since: timeOf(8), why: 'gap', reason: 'Expected sequence 4, got 6', queued: 2 },
  });
  await here.tell(...at(4, 5));
  t.like(await here.head('budget-1'), { sequence: 6, held: { queued: 1, since: timeOf(8) } });
  await here.tell(...at(7));
  t.like(await here.head('budget-1'), { sequence: 8, held: null });
  t.deepEqual(await here.queue('budget-1'), []);
  t.is((await names(here)).length, 7);
});

test('the next claim drains a queue whose process died when the gap closed', async t => {
  const here = await scene();
  const [created, first, second] = story('budget-1', CREATED, ...payees(2)) as LogEvent[];
  await here.tell(created as LogEvent, second as LogEvent);
  here.eventLog.add(first as LogEvent);
  const claimed = await here.claim();
  const { limits } = here.context;
  // Only commits the chunk.
  const { gaps } = await applyChunk(
    here.store,
    { records: here.eventLog.records.slice(2), next: here.eventLog.records.length },
    { claim: claimed, limits },
  );
  t.deepEqual(gaps, ['budget-1']);
  t.like(await here.head('budget-1'), { sequence: 1, held: { queued: 2 } });
  await here.claim();
  t.like(await here.head('budget-1'), { sequence: 3, held: null });
});

test('a claim leaves a parked stream parked, and continues one whose version has become known', async t => {
  const here = await scene();
  const parked = story('budget-1', CREATED, payee('p'), payee('p'));
  const [created, added, later] = story('budget-2', CREATED, ...payees(2)) as LogEvent[];
  await here.tell(
    ...parked,
    created as LogEvent,
    { ...added, schemaversion: 2 },
    later as LogEvent,
  );
  const reason = 'Expected a known schemaversion of payee.added, got 2';
  t.like(await here.head('budget-2'), { sequence: 1, held: { why: 'parked', reason, queued: 2 } });
  await here.claim();
  t.like(await here.head('budget-2'), { sequence: 1, held: { reason, queued: 2 } });
  // Simulates a newer release that knows this version.
  const { waiting } = here.store.collections;
  await waiting.updateOne(
    { subject: 'budget-2', sequence: 2 },
    { $set: { value: JSON.stringify(added) } },
  );
  await here.claim();
  t.like(await here.head('budget-2'), { sequence: 3, held: null });
  t.like(await here.head('budget-1'), { sequence: 2, held: { why: 'parked', queued: 1 } });
});

test('a queue longer than a step is drained in steps of one transaction each', async t => {
  const here = await scene();
  const events = story('budget-1', CREATED, ...payees(2500));
  const [created, missing, ...rest] = events as [LogEvent, LogEvent];
  await here.tell(created, ...rest);
  t.like(await here.head('budget-1'), { sequence: 1, held: { queued: 2499 } });
  const sequences: number[] = [];
  const store = committing(here.store, async (writes, pass) => {
    await pass();
    sequences.push(...writes.heads.map(({ now }) => now.sequence));
  });
  here.eventLog.add(missing);
  const claimed = await here.claim();
  // Otherwise the runner goes on with a queue that stands still for seconds, as on a busy machine.
  here.context.shadowSets.released(claimed.partition);
  await here.apply(claimed, here.eventLog.records, { context: { ...here.context, store } });
  t.deepEqual(sequences, [1, 1001, 2001, 2501]);
  t.like(await here.head('budget-1'), { sequence: 2501, held: null });
  t.is(await here.store.collections.waiting.countDocuments(), 0);
  t.is(await here.store.collections.payees.countDocuments(), 2500);
});

test('budget.deleted, once its version is known, empties a queue of any length', async t => {
  const here = await scene();
  const gone = { type: 'budget.deleted', data: {} } as const;
  const [created, deleted, ...late] = story('budget-1', CREATED, gone, ...payees(1500));
  await here.tell(created as LogEvent, { ...deleted, schemaversion: 2 }, ...late);
  t.like(await here.head('budget-1'), { sequence: 1, held: { queued: 1501 } });
  const { waiting, payees: stored } = here.store.collections;
  await waiting.updateOne({ sequence: 2 }, { $set: { value: JSON.stringify(deleted) } });
  await here.claim();
  t.like(await here.head('budget-1'), { sequence: 2, deleted: true, held: null });
  t.is(await waiting.countDocuments(), 0);
  t.is(await stored.countDocuments(), 0);
});

test('an event that breaks the projections parks only its stream, which continues after the repair', async t => {
  const here = await scene();
  await here.tell(...story('budget-1', CREATED, account('home', true), row('row-1')));
  const { accounts } = here.store.collections;
  const removed = await accounts.findOneAndDelete({ id: 'home' });
  const clear: Draft = { type: 'transaction.cleared', data: { transactionIds: ['row-1'] } };
  const broken = eventMaker('budget-1')(clear, { sequence: 4 });
  const before = await dump(here.store);
  await here.tell(broken, ...story('budget-2', CREATED, payee('p')));
  const reason = 'The projections failed: Error: Row row-1 of an account that is not there: home';
  t.like(await here.head('budget-1'), { sequence: 3, held: { why: 'parked', reason, queued: 1 } });
  t.like(await here.head('budget-2'), { sequence: 2, held: null });
  const documents = (lines: string[]) => lines.filter(line => /^(rows|years|account)/.test(line));
  t.deepEqual(documents(await dump(here.store)), documents(before));
  if (removed) await accounts.insertOne(removed);
  t.like(await retryHeld(here.store, 'budget-1', here.context.limits), { sequence: 4, held: null });
});

test('records that belong to no stream are quarantined for an operator', async t => {
  const here = await scene();
  here.eventLog.add(
    { key: null, raw: 'garbage' },
    { key: null, raw: null },
    ...story('budget-1', CREATED),
  );
  await here.project();
  const kept = await here.store.collections.quarantine.find().sort({ _id: 1 }).toArray();
  t.deepEqual(
    kept.map(({ _id, value, reason }) => [_id, value, reason]),
    [
      ['0/0', '', 'Expected an event as JSON in UTF-8, got text that is no JSON'],
      ['0/1', '', 'Expected an event, got a record without a value'],
    ],
  );
  t.like(await here.head('budget-1'), { sequence: 1, held: null });
  t.deepEqual(await progressOf(here.store.collections, here.eventLog), { applied: 3, total: 3 });
});

test('a chunk that parks too many streams is not applied at all', async t => {
  const here = await scene();
  const bad = Array.from({ length: 20 }, (_, index) => story(`bad-${index}`, payee('early')));
  const good = Array.from({ length: 30 }, (_, index) => story(`good-${index}`, CREATED));
  here.eventLog.add(...good.flat(), ...bad.flat());
  await t.throwsAsync(commitWhole(here), {
    instanceOf: TooManyParkedError,
    message: '20 of 50 streams would have been parked within 60 s',
  });
  t.is(await here.store.collections.heads.countDocuments(), 0);
  t.like(await here.store.collections.checkpoints.findOne({ _id: 0 }), { next: 0 });
});

test('the alarm counts each parked stream once', async t => {
  const here = await scene();
  const bad = Array.from({ length: 19 }, (_, index) => story(`bad-${index}`, payee('early')));
  await here.tell(...bad.slice(0, 10).flat());
  await t.notThrowsAsync(here.tell(...bad.slice(10).flat()));
  here.eventLog.add(...story('bad-19', payee('early')));
  await t.throwsAsync(commitWhole(here), { instanceOf: TooManyParkedError });
});

/** Commits the records after the checkpoint as one chunk, without the pipeline, which would wait for an operator. */
async function commitWhole({ store, context, eventLog, claim }: PartitionScene): Promise<void> {
  const claimed = await claim();
  const { records } = eventLog;
  const chunk = { records: records.slice(claimed.next), next: records.length };
  await applyChunk(store, chunk, { claim: claimed, limits: context.limits });
}

test('a few percent of many streams may be parked, even if all are new', async t => {
  const here = await scene();
  const bad = Array.from({ length: 20 }, (_, index) => story(`bad-${index}`, payee('early')));
  const good = Array.from({ length: 181 }, (_, index) => story(`good-${index}`, CREATED));
  await here.tell(...good.flat(), ...bad.flat());
  t.is(await here.store.collections.heads.countDocuments({ 'held.why': 'parked' }), 20);
});
