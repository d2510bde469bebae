import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createTurns, type Turns } from '../../src/projector/turns.ts';
import { test } from '../helpers/file-test.ts';

const ending = new AbortController();
test.after.always(() => ending.abort());
/** Does not abort before the tests are done. */
const never = ending.signal;

/** Returns whether the turn goes on after one more batch. */
function keepsTurn(turns: Turns, partition: number): boolean {
  const turn = turns.of(partition);
  if (turn === 'none' || turn === 'over') return false;
  turns.keep(partition);
  return true;
}

/** Requests turns for partitions; returns a list of those that have begun. */
function requestTurns(turns: Turns, partitions: readonly number[]): number[] {
  const begun: number[] = [];
  for (const partition of partitions) {
    void turns.begin(partition, never).then(() => begun.push(partition));
  }
  return begun;
}

test('one partition at a time has its turn, and the others follow in the order of their requests', async t => {
  const turns = createTurns();
  const begun = requestTurns(turns, [5, 3, 4]);
  await setImmediate();
  t.deepEqual(begun, [5]);
  t.is(turns.of(3), 'none');
  turns.end(3);
  t.is(turns.of(5), 'wanted');
  turns.end(5);
  await setImmediate();
  t.deepEqual(begun, [5, 3]);
  turns.end(3);
  await setImmediate();
  t.deepEqual(begun, [5, 3, 4]);
  t.is(turns.of(4), 'own', 'no partition waits');
  turns.end(4);
  t.deepEqual(requestTurns(turns, [5]), []);
  await setImmediate();
  t.true(keepsTurn(turns, 5));
});

test('a turn lasts for several chunks, and without a limit while no other partition waits', async t => {
  const turns = createTurns();
  for (let chunk = 0; chunk < 30; chunk += 1) {
    await turns.begin(1, never);
    t.true(keepsTurn(turns, 1));
  }
  const begun = requestTurns(turns, [2]);
  await turns.begin(1, never);
  t.false(keepsTurn(turns, 1));
  turns.end(1);
  let chunks = 0;
  for (void turns.begin(3, never); keepsTurn(turns, 2); chunks += 1) await turns.begin(2, never);
  await setImmediate();
  t.deepEqual(begun, [2]);
  t.is(chunks, 23);
});

test('other partitions continue if the one in turn does nothing for a second', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  t.true(keepsTurn(turns, 1));
  await turns.begin(2, never);
  t.false(keepsTurn(turns, 1));
  t.is(turns.of(1), 'none');
  t.true(keepsTurn(turns, 2));
});

test('a turn does not end while its work continues', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  keepsTurn(turns, 1);
  await turns.begin(1, never);
  const begun = requestTurns(turns, [2]);
  await sleep(1200);
  t.deepEqual(begun, []);
  t.true(keepsTurn(turns, 1));
});

test('the time of a turn counts from its last batch', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  t.true(keepsTurn(turns, 1));
  // The next batch is small, so it does not begin the turn again.
  t.true(keepsTurn(turns, 1));
  await turns.begin(1, never);
  await sleep(1200);
  t.true(keepsTurn(turns, 1));
});

test('a stopped request ends its wait, and gets no turn', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  const stopping = new AbortController();
  const waiting = turns.begin(2, stopping.signal);
  const begun = requestTurns(turns, [3]);
  stopping.abort();
  await waiting;
  t.false(keepsTurn(turns, 2));
  turns.end(1);
  await setImmediate();
  t.deepEqual(begun, [3]);
  turns.end(3);
  await turns.begin(4, stopping.signal);
  t.false(keepsTurn(turns, 4));
});

test('a waiting request calls the heartbeat', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  let calls = 0;
  const waiting = turns.begin(2, never, async () => {
    calls += 1;
  });
  turns.end(1);
  await waiting;
  t.is(calls, 1, 'at least at the end');
});
