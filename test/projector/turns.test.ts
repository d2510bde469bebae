import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createTurns, type Turns } from '../../src/projector/partition/turns.ts';

const ending = new AbortController();
test.after.always(() => ending.abort());
/** Does not abort before the tests are done. */
const never = ending.signal;

/** Asks for the turns of partitions, and lists those that have had one. */
function asking(turns: Turns, partitions: readonly number[]): number[] {
  const begun: number[] = [];
  for (const partition of partitions) {
    void turns.begin(partition, never).then(() => begun.push(partition));
  }
  return begun;
}

test('it is the turn of one partition at a time; others follow in the order in which they came', async t => {
  const turns = createTurns();
  const begun = asking(turns, [5, 3, 4]);
  await setImmediate();
  t.deepEqual(begun, [5]);
  t.false(turns.end(3), 'it was not its turn');
  t.true(turns.end(5));
  await setImmediate();
  t.deepEqual(begun, [5, 3]);
  turns.end(3);
  await setImmediate();
  t.deepEqual(begun, [5, 3, 4]);
  t.false(turns.end(4), 'nobody waits');
  t.deepEqual(asking(turns, [5]), []);
  await setImmediate();
  t.true(turns.goesOn(5));
});

test('a turn goes on for a while, and without an end where nobody waits', async t => {
  const turns = createTurns();
  for (let chunk = 0; chunk < 30; chunk += 1) {
    await turns.begin(1, never);
    t.true(turns.goesOn(1));
  }
  const begun = asking(turns, [2]);
  await turns.begin(1, never);
  t.false(turns.goesOn(1));
  turns.end(1);
  let chunks = 0;
  for (void turns.begin(3, never); turns.goesOn(2); chunks += 1) await turns.begin(2, never);
  await setImmediate();
  t.deepEqual(begun, [2]);
  t.is(chunks, 7);
});

test('where nothing comes of a partition for a second, others go on', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  t.true(turns.goesOn(1));
  await turns.begin(2, never);
  t.false(turns.goesOn(1));
  t.false(turns.end(1));
  t.true(turns.goesOn(2));
});

test('work that lasts is not taken for nothing', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  turns.goesOn(1);
  await turns.begin(1, never);
  const begun = asking(turns, [2]);
  await sleep(1200);
  t.deepEqual(begun, []);
  t.true(turns.goesOn(1));
});

test('who is to stop waits no longer, and has no turn', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  const stopping = new AbortController();
  const waiting = turns.begin(2, stopping.signal);
  const begun = asking(turns, [3]);
  stopping.abort();
  await waiting;
  t.false(turns.goesOn(2));
  turns.end(1);
  await setImmediate();
  t.deepEqual(begun, [3]);
  turns.end(3);
  await turns.begin(4, stopping.signal);
  t.false(turns.goesOn(4));
});

test('who waits says so now and then', async t => {
  const turns = createTurns();
  await turns.begin(1, never);
  let told = 0;
  const waiting = turns.begin(2, never, async () => {
    told += 1;
  });
  turns.end(1);
  await waiting;
  t.is(told, 1, 'at the end at least');
});
