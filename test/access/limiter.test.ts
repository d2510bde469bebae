import test from 'ava';
import { createBlocks, createLocalCounts } from '../../src/access/limiter.ts';
import type { TimedStatus } from '../../src/access/rate-limits.ts';

const refused = (resetAt: number, msLeft: number): TimedStatus => ({
  window: 'address_minute',
  allowed: false,
  limit: 3,
  remaining: 0,
  resetAt,
  retryAfterSeconds: 1,
  msLeft,
});

test('a local count passes its limit in each full minute, and its status says that it is local', t => {
  const { count } = createLocalCounts(2);
  t.deepEqual(count('a', 61_000), {
    window: 'address_minute',
    allowed: true,
    limit: 2,
    remaining: 1,
    resetAt: 120,
    retryAfterSeconds: 59,
    degraded: true,
  });
  t.true(count('a', 119_999).allowed);
  t.false(count('a', 119_999).allowed);
  t.true(count('b', 119_999).allowed);
  t.true(count('a', 120_000).allowed);
});

test('addresses beyond the bound share one count', t => {
  const { count } = createLocalCounts(1, 2);
  t.true(count('a', 0).allowed);
  t.true(count('b', 0).allowed);
  t.true(count('c', 0).allowed);
  t.false(count('d', 0).allowed);
  t.false(count('a', 0).allowed);
  t.true(count('d', 60_000).allowed);
});

/** The database's answer at a time of its clock, with a limit of 3. */
const counted = (ms: number, remaining: number): TimedStatus => ({
  window: 'address_minute',
  allowed: true,
  limit: 3,
  remaining,
  resetAt: (Math.floor(ms / 60_000) + 1) * 60,
  retryAfterSeconds: 1,
  msLeft: 60_000 - (ms % 60_000),
});

// The clock of this process is two hours behind that of the database.
const BEHIND_MS = 7_200_000;
const NOW = 90_000;

test('an outage goes on with the larger of both counts, in the minutes of the database', t => {
  const local = createLocalCounts(3);
  t.is(local.add('a', counted(NOW + BEHIND_MS, 2), NOW).remaining, 2);
  // Another reader counted a request meanwhile.
  t.is(local.add('a', counted(NOW + BEHIND_MS, 0), NOW).remaining, 0);
  t.like(local.count('a', NOW), { allowed: false, resetAt: 7320, retryAfterSeconds: 30 });
  t.like(local.count('a', NOW + 30_000), { allowed: true, remaining: 2, resetAt: 7380 });
});

test('after an outage the requests that only this process counted are not forgotten', t => {
  const local = createLocalCounts(3);
  local.add('a', counted(NOW, 2), NOW);
  t.true(local.count('a', NOW).allowed);
  t.like(local.add('a', counted(NOW, 1), NOW), { allowed: true, remaining: 0 });
  t.like(local.add('a', counted(NOW, 0), NOW), { allowed: false, remaining: 0 });
  t.like(local.add('a', counted(NOW + 30_000, 2), NOW + 30_000), { allowed: true, remaining: 2 });
});

test('answers that arrive in another order change nothing', t => {
  const local = createLocalCounts(3);
  local.add('a', counted(NOW, 1), NOW);
  t.true(local.add('a', counted(NOW, 2), NOW).allowed);
  t.like(local.add('a', counted(NOW, 0), NOW), { allowed: true, remaining: 0 });
  local.add('a', counted(120_000, 1), 120_000);
  t.like(local.add('a', counted(119_999, 0), 120_000), { allowed: true, remaining: 0 });
  t.is(local.count('a', 119_999).remaining, 0);
});

test('a block ends when the remaining time of the window is over, whatever the clocks say', t => {
  const blocks = createBlocks();
  // The clock of this process is an hour behind that of the database.
  blocks.add('a', refused(7200, 10_000), 3_590_000);
  t.is(blocks.find('a', 3_590_000)?.retryAfterSeconds, 10);
  t.like(blocks.find('a', 3_599_999), { allowed: false, resetAt: 7200, retryAfterSeconds: 1 });
  t.is(blocks.find('a', 3_600_000), undefined);
  t.is(blocks.find('b', 3_590_000), undefined);
});

test('a clock that is set back ends a block', t => {
  const blocks = createBlocks();
  blocks.add('a', refused(120, 20_000), 100_000);
  t.is(blocks.find('a', 99_999), undefined);
});

test('a later window replaces an earlier one, and a late answer does not', t => {
  const blocks = createBlocks();
  blocks.add('a', refused(60, 10_000), 50_000);
  blocks.add('b', refused(120, 59_000), 61_000);
  t.is(blocks.find('a', 62_000), undefined);
  blocks.add('c', refused(60, 1_000), 59_000);
  t.is(blocks.find('c', 59_500), undefined);
  t.is(blocks.find('b', 62_000)?.resetAt, 120);
});

test('the number of blocks is bounded', t => {
  const blocks = createBlocks(1);
  blocks.add('a', refused(60, 60_000), 0);
  blocks.add('b', refused(60, 60_000), 0);
  t.truthy(blocks.find('a', 1));
  t.is(blocks.find('b', 1), undefined);
});
