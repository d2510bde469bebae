// What the tests of the limiter share: its limits, its instants, and a database clock that stands still.
import type { Db } from 'mongodb';
import { createLimiter } from '../../src/access/limiter.ts';
import type { LimitStatus, RateLimiter } from '../../src/access/rate-limits.ts';
import type { RateLimits } from '../../src/config.ts';

export const LIMITS: RateLimits = {
  addressPerMinute: 300,
  tokenReadsPerMinute: 60,
  tokenWritesPerMinute: 30,
  userPerMinute: 120,
  userPerDay: 20_000,
};

/** Far enough ahead that the database does not remove the counts as outdated. */
export const NOON = Date.parse('2099-03-14T12:00:15.500Z');
export const NEXT_MINUTE = Date.parse('2099-03-14T12:01:00Z') / 1000;
export const NEXT_DAY = Date.parse('2099-03-15T00:00:00Z') / 1000;

/** A limiter whose database clock stands still. Its process clock is another one altogether. */
export function limiterAt(db: Db, ms: number, limits: Partial<RateLimits> = {}): RateLimiter {
  return createLimiter(
    db,
    { ...LIMITS, ...limits },
    { databaseClock: { $literal: new Date(ms) }, timeoutMs: 30_000 },
  );
}

export async function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

export const passed = (statuses: LimitStatus[]) => statuses.filter(({ allowed }) => allowed).length;
