import test from 'ava';
import { type LimitStatus, limitStatus, tightest } from '../../src/access/rate-limits.ts';

function status(changes: Partial<LimitStatus>): LimitStatus {
  return {
    window: 'user_minute',
    allowed: true,
    limit: 60,
    remaining: 10,
    resetAt: 600,
    retryAfterSeconds: 1,
    ...changes,
  };
}

/** Returns the result for both orders of the two. */
const either = (a: LimitStatus, b: LimitStatus) => [tightest(a, b), tightest(b, a)];

test('the tightest window is the one with the smallest remaining count', t => {
  const less = status({ remaining: 3 });
  const more = status({ remaining: 4, resetAt: 900 });
  t.deepEqual(either(less, more), [less, less]);
});

test('on a tie, the tightest window is the one that resets last', t => {
  const minute = status({ resetAt: 600 });
  const day = status({ resetAt: 86_400 });
  t.deepEqual(either(minute, day), [day, day]);
});

test('on a full tie, the tightest window is the first', t => {
  const a = status({ limit: 60 });
  const b = status({ limit: 120 });
  t.is(tightest(a, b), a);
});

test('an exhausted window is tighter than any that passes', t => {
  const refusing = status({ allowed: false, remaining: 0, resetAt: 600 });
  const full = status({ allowed: true, remaining: 0, resetAt: 86_400 });
  t.deepEqual(either(refusing, full), [refusing, refusing]);
});

test('of two exhausted windows, the tighter one resets last', t => {
  const minute = status({ allowed: false, remaining: 0, resetAt: 600 });
  const day = status({ allowed: false, remaining: 0, resetAt: 86_400 });
  t.deepEqual(either(minute, day), [day, day]);
});

test('a status rounds seconds up to at least 1, and never has a negative remaining count', t => {
  const counts = { limit: 5, count: 7, allowed: false, endsAtMs: 120_000 };
  const window = { window: 'user_minute', ...counts } as const;
  t.deepEqual(limitStatus(window, 118_999), {
    window: 'user_minute',
    allowed: false,
    limit: 5,
    remaining: 0,
    resetAt: 120,
    retryAfterSeconds: 2,
  });
  t.is(limitStatus(window, 119_000).retryAfterSeconds, 1);
  t.is(limitStatus(window, 119_999).retryAfterSeconds, 1);
  t.is(limitStatus(window, 120_000).retryAfterSeconds, 1);
  t.is(limitStatus({ ...window, count: 2 }, 0).remaining, 3);
});
