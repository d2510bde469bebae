// Shared by the tests of the limiter: limits, instants, and a database clock that does not move.
import type { Db } from 'mongodb';
import { createLimiter } from '../../src/access/limiter.ts';
import type { LimitStatus, RateLimiter } from '../../src/access/rate-limits.ts';
import type { RateLimits } from '../../src/process/config.ts';

export const LIMITS: RateLimits = {
  addressPerMinute: 300,
  tokenReadsPerMinute: 60,
  tokenWritesPerMinute: 30,
  userPerMinute: 120,
  userPerDay: 20_000,
};

/** Far in the future, so that the database does not remove the counts as outdated. */
export const NOON = Date.parse('2099-03-14T12:00:15.500Z');
export const NEXT_MINUTE = Date.parse('2099-03-14T12:01:00Z') / 1000;
export const NEXT_DAY = Date.parse('2099-03-15T00:00:00Z') / 1000;

/** Returns a limiter whose database clock does not move; the clock of its process is independent of it. */
export function limiterAt(db: Db, ms: number, limits: Partial<RateLimits> = {}): RateLimiter {
  return createLimiter(
    db,
    { ...LIMITS, ...limits },
    { databaseClock: { $literal: new Date(ms) }, timeoutMs: 30_000 },
  );
}

export async function times<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

export const passed = (statuses: LimitStatus[]) => statuses.filter(({ allowed }) => allowed).length;
