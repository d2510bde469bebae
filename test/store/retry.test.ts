// Retries: what passes by itself is tried again, with growing waits; everything else is for the caller.
import { MongoServerSelectionError } from 'mongodb';
import { StaleError } from '../../src/store/database-errors.ts';
import { hasFailedLong, retried } from '../../src/store/retry.ts';
import { test } from '../helpers/file-test.ts';
import { memoryLog } from '../http/memory-log.ts';

const never = new AbortController().signal;

function failing(times: number, error: Error): { calls: number; run: () => Promise<string> } {
  const counted = {
    calls: 0,
    async run() {
      counted.calls += 1;
      if (counted.calls <= times) throw error;
      return 'done';
    },
  };
  return counted;
}

test('a stale stream is folded again until it is current, and each retry is logged', async t => {
  const { logger, lines } = memoryLog();
  const work = failing(3, new StaleError('changed'));
  t.is(await retried(work.run, { logger, signal: never }), 'done');
  t.is(work.calls, 4);
  const waits = lines.map(({ retryInMs }) => retryInMs);
  t.is(waits.length, 3);
  t.deepEqual(
    lines.map(({ level, err, reason }) => [level, err, reason]),
    [20, 40, 40].map(level => [level, undefined, 'StaleError: changed']),
    'what passes at once is no warning, and no line has a stack',
  );
  // Each wait is the last one doubled, less up to a half.
  for (const [index, waitMs] of waits.entries()) {
    t.true(waitMs >= 25 * 2 ** index && waitMs <= 50 * 2 ** index, `${waitMs} ms`);
  }
});

test('an error of ours is not tried again', async t => {
  const { logger, lines } = memoryLog();
  const work = failing(1, new TypeError('a bug'));
  await t.throwsAsync(retried(work.run, { logger, signal: never }), { message: 'a bug' });
  t.is(work.calls, 1);
  t.deepEqual(lines, []);
});

test('once the signal aborts nothing is tried again, and no wait goes on', async t => {
  const { logger, lines } = memoryLog();
  const stopping = new AbortController();
  const work = failing(Number.POSITIVE_INFINITY, new StaleError('changed'));
  setTimeout(() => stopping.abort(), 400);
  await t.throwsAsync(retried(work.run, { logger, signal: stopping.signal }), {
    instanceOf: StaleError,
  });
  t.is(work.calls, lines.length, 'the wait was cut off, and nothing was tried after it');
  const calls = work.calls;
  await t.throwsAsync(retried(work.run, { logger, signal: stopping.signal }), {
    instanceOf: StaleError,
  });
  t.is(work.calls, calls + 1);
  t.is(lines.length, calls, 'nothing says that it would be tried again');
});

test('a command stops after ten tries, or where the database was away for twenty seconds of two', t => {
  const error = new StaleError('changed');
  const away = new MongoServerSelectionError('no primary', {} as never);
  const now = performance.now();
  t.deepEqual(
    [1, 2, 9, 10].map(failures => hasFailedLong({ failures, error, sinceMs: now - 21_000 })),
    [false, false, false, true],
  );
  t.deepEqual(
    [1, 2, 9].map(failures => hasFailedLong({ failures, error: away, sinceMs: now })),
    [false, false, false],
  );
  t.deepEqual(
    [1, 2].map(failures => hasFailedLong({ failures, error: away, sinceMs: now - 21_000 })),
    [false, true],
  );
});
