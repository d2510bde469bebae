// Who checks a log sees all that is in it, or learns that a transaction hides some.
import test from 'ava';
import { visibleBounds } from '../../src/event-log/visible-bounds.ts';
import { UserError } from '../../src/process/errors.ts';

/** A log whose last stable offset is the next of `ends` each time, while its records end at offset 7. */
function logOf(...ends: number[]) {
  return {
    name: 'topic t',
    hiddenOffsets: async () => ({ from: ends[0] ?? 0, to: 7 }),
    bounds: async () => ({ start: 0, end: (ends.length > 1 ? ends.shift() : ends[0]) ?? 0 }),
  };
}

test('a log without transactions ends where it ends', async t => {
  const bounds = async () => ({ start: 0, end: 3 });
  t.deepEqual(await visibleBounds({ name: 'folder f', bounds }, 0), { start: 0, end: 3 });
});

test('transactions that end are waited for, and later ones are not', async t => {
  t.deepEqual(await visibleBounds(logOf(7), 0), { start: 0, end: 7 });
  t.deepEqual(await visibleBounds(logOf(4, 4, 6, 9), 0), { start: 0, end: 9 });
});

test('one that does not end is named', async t => {
  await t.throwsAsync(visibleBounds(logOf(4), 2, 100), {
    instanceOf: UserError,
    message:
      'Expected to see all records of topic t, partition 2, got a transaction that its producer has not ended, which hides those from offset 4 on. Nothing was appended',
  });
});
