// Readiness derives what a process waits for from status snapshots.
import test from 'ava';
import { createOwnPartitions } from '../../../src/pages/operators/partitions.ts';
import { createReadiness } from '../../../src/pages/operators/readiness.ts';
import type { StatusSnapshot } from '../../../src/pages/operators/status-monitor.ts';
import type { GenerationStatus } from '../../../src/projector/operate/system-status.ts';
import { pausedMessage } from '../../../src/store/parking-limit.ts';
import { AT, generation, partition, snapshotOf } from './snapshot-of.ts';

const LATER = new Date(AT.getTime() + 15_000);

function process(feeds: number | null, claimed: readonly number[] = []) {
  const own = createOwnPartitions();
  for (const number of claimed) own.set('g1', number, 'claimed');
  const stopping = new AbortController();
  const { signal } = stopping;
  const waitsOf = createReadiness({ feeds, own, stopping: signal, startedAt: AT });
  const messages = (snapshot: StatusSnapshot) =>
    waitsOf(snapshot).map(({ what, message }) => `${what}: ${message}`);
  return { own, stopping, messages };
}

const both = (next: number) => [partition(0, 5, 5), partition(1, next, 9)];

test('a reader waits for the database and for an active generation', t => {
  const { messages, stopping } = process(null);
  const away = { registry: null, logAnswers: null, projection: null };
  t.deepEqual(messages(snapshotOf([], away)), ['database: The database does not answer']);
  const none = 'generation: No generation answers yet: no projector has run';
  t.deepEqual(messages(snapshotOf([], { logAnswers: null })), [none]);
  const building = [generation('g1', both(0), { state: 'building' })];
  const built = 'generation: No generation answers yet: g1 is building';
  t.deepEqual(messages(snapshotOf(building, { logAnswers: null })), [built]);
  t.deepEqual(messages(snapshotOf([generation('g1', both(0))], { logAnswers: null })), []);
  stopping.abort();
  const shutdown = 'shutdown: The process is shutting down';
  t.deepEqual(messages(snapshotOf([generation('g1', both(0))], { logAnswers: null })), [shutdown]);
});

test('a projector waits for its servers', t => {
  const { messages } = process(1, [0, 1]);
  t.deepEqual(messages(snapshotOf([], { registry: null, logAnswers: false, projection: null })), [
    'database: The database does not answer',
    'log: The event log does not answer',
  ]);
  const noLog = snapshotOf([generation('g1', both(3))], { logAnswers: false, projection: null });
  t.deepEqual(messages(noLog), ['log: The event log does not answer']);
  const unknown = snapshotOf([generation('g1', both(3))], { logAnswers: true, projection: null });
  t.deepEqual(messages(unknown), [
    'partitions: The event log has not answered about every partition',
  ]);
});

test('a projector waits for its share of the partitions', t => {
  const { own, messages } = process(1);
  const none = 'partitions: g1: no partition is claimed yet';
  t.deepEqual(messages(snapshotOf([generation('g1', [partition(0, 5, 5)])])), [none]);
  own.set('g1', 0, 'claimed');
  const left = 'partitions: g1: nobody works on partition 1';
  t.deepEqual(messages(snapshotOf([generation('g1', both(3))])), [left]);
  own.set('g1', 1, 'claimed');
  t.deepEqual(messages(snapshotOf([generation('g1', both(3))])), []);
  own.set('g1', 1, 'released');
  t.deepEqual(messages(snapshotOf([generation('g1', both(3))])), [left]);
});

test('a projector does not wait for the partitions of others, and a spare projector becomes ready', t => {
  const { messages } = process(1);
  const left = 'partitions: g1: nobody works on partition 1';
  t.deepEqual(messages(snapshotOf([generation('g1', both(3))], { at: LATER })), [left]);
  t.deepEqual(messages(snapshotOf([generation('g1', both(4))], { at: LATER })), []);
  t.deepEqual(messages(snapshotOf([generation('g1', both(4))], { at: LATER })), []);
});

test('a partition that once moved and then stands still with events to apply is reported', t => {
  const { messages } = process(1, [0]);
  let seconds = 0;
  const after = (more: number, next: number, end: number) => {
    seconds += more;
    const at = new Date(AT.getTime() + seconds * 1000);
    const partitions = [partition(0, 5, 5), partition(1, next, end)];
    return messages(snapshotOf([generation('g1', partitions)], { at }));
  };
  const left = ['partitions: g1: nobody works on partition 1'];
  t.deepEqual(after(0, 100, 100), []);
  t.deepEqual(after(5, 101, 101), []);
  t.deepEqual(after(3600, 101, 101), []);
  t.deepEqual(after(5, 101, 102), [], 'the first event after a long silence has only come');
  t.deepEqual(after(5, 101, 900), []);
  t.deepEqual(after(15, 101, 900), left);
  t.deepEqual(after(1, 102, 900), []);
  t.deepEqual(after(15, 102, 900), left);
  t.deepEqual(after(-3600, 102, 900), left, 'the clock is set back');
  t.deepEqual(after(1, 900, 900), []);
});

test('the time of a partition begins with its first event, and again after a pause or an outage', t => {
  const { messages } = process(1, [0]);
  const seen = (seconds: number, end: number, { more = {}, away = {} } = {}) => {
    const at = new Date(AT.getTime() + seconds * 1000);
    const partitions = [partition(0, 5, 5), partition(1, 100, end)];
    return messages(snapshotOf([generation('g1', partitions, more)], { at, ...away }));
  };
  const left = 'partitions: g1: nobody works on partition 1';
  t.deepEqual(seen(0, 100), []);
  t.deepEqual(seen(30, 101), [], 'probes may be far apart');
  t.deepEqual(seen(46, 101), [left]);
  const pause = { paused: { since: AT, reason: 'as many parked', examples: [] } };
  t.is(seen(60, 101, { more: pause }).length, 1);
  t.deepEqual(seen(90, 101), []);
  t.deepEqual(seen(106, 101), [left]);
  t.is(seen(120, 101, { away: { logAnswers: true, projection: null } }).length, 1);
  t.deepEqual(seen(150, 101), []);
  t.deepEqual(seen(166, 101), [left]);
});

test('a partition that lost data keeps a projector from being ready', t => {
  const { own, messages } = process(1, [0]);
  own.set('g1', 1, 'halted');
  const why = 'the log is not the one that was projected';
  const halted = `partitions: g1: partition 1 halted: ${why}`;
  t.deepEqual(messages(snapshotOf([generation('g1', both(3))])), [halted]);
  own.set('g1', 0, 'halted');
  const both2 = `partitions: g1: partitions 0, 1 halted: ${why}`;
  t.deepEqual(messages(snapshotOf([generation('g1', both(3))])), [both2]);
});

test('a paused generation waits for an operator, with its reason', t => {
  const { messages } = process(1, [0, 1]);
  const reason = '32 of 67 streams would have been parked within 60 s';
  const paused = { since: AT, reason, examples: [] };
  const message = pausedMessage('g1', reason);
  t.deepEqual(messages(snapshotOf([generation('g1', both(3), { paused })])), [
    `operator: ${message}`,
  ]);
  const building = generation('g2', [], { paused, state: 'building' });
  t.true(messages(snapshotOf([building])).includes(`operator: ${pausedMessage('g2', reason)}`));
});

test('nobody waits for a retired generation, paused or halted', t => {
  const { own, messages } = process(1, [0, 1]);
  own.set('g1', 1, 'halted');
  const paused = { since: AT, reason: 'as many parked', examples: [] };
  const retired = generation('g1', both(3), { paused, state: 'retired' });
  t.deepEqual(messages(snapshotOf([retired])), [
    'generation: No generation answers yet: g1 is retired',
  ]);
});

test('a projector reports that a build of its version waits, or has failed', t => {
  const { messages } = process(1, [0, 1]);
  const active = generation('g1', both(9));
  const snapshotWith = (changes: Partial<GenerationStatus>) =>
    snapshotOf([active, generation('g2', [], { state: 'building', ...changes })]);
  t.deepEqual(messages(snapshotWith({})).slice(0, -1), []);
  const [waits] = messages(snapshotWith({ waitsFor: 'The test' }));
  t.is(waits, 'generation: g2 is not switched to: The test');
  const reason = 'Verification found a difference: rows/1 amount: expected 12, stored 13';
  const [failed] = messages(snapshotWith({ state: 'failed', reason }));
  t.is(failed, 'generation: g2 failed: Verification found a difference: rows/1 amount');
  t.deepEqual(messages(snapshotWith({ state: 'failed', reason, version: 2 })), []);
  t.deepEqual(messages(snapshotWith({ state: 'failed', reason, replacedBy: 3 })), []);
  t.deepEqual(messages(snapshotWith({ state: 'failed', reason: 'Given up by an operator' })), []);
  const reader = process(null);
  t.deepEqual(reader.messages({ ...snapshotWith({ waitsFor: 'The test' }), logAnswers: null }), []);
});

test('a projector ignores generations of another version', t => {
  const { messages } = process(2);
  t.deepEqual(messages(snapshotOf([generation('g1', both(3))])), []);
});
