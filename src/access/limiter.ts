// The rate limiter: counts that all readers share in the database, and the blocks and counts of addresses that each
// process keeps.
import type { Db, Document } from 'mongodb';
import type { RateLimits } from '../process/config.ts';
import { withDeadline } from '../store/database-errors.ts';
import { addressKey } from './address.ts';
import { createLimitCounts, DATABASE_CLOCK } from './limit-counts.ts';
import { createBlocks, createLocalCounts } from './local-limits.ts';
import { type LimitStatus, type RateLimiter, type TimedStatus, tightest } from './rate-limits.ts';

export interface LimiterOptions {
  /** Receives the first error of each outage of the database. */
  readonly onUnavailable?: (error: unknown) => void;
  /** Returns the time of this process's clock in epoch milliseconds. */
  readonly now?: () => number;
  /** Aggregation expression for the time that decides the windows. Default: the database's clock. */
  readonly databaseClock?: string | Document;
  /**
   * How long a request waits for its count, in milliseconds. Default 2000. Beyond it an address is counted by this
   * process alone, and the count of a token fails.
   */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 2000;

/** Returns a limiter for all limits (rules/api.md#windows), exact over all processes that use this database. */
export function createLimiter(
  db: Db,
  limits: RateLimits,
  options: LimiterOptions = {},
): RateLimiter {
  const { now = Date.now, databaseClock = DATABASE_CLOCK, timeoutMs = TIMEOUT_MS } = options;
  const counts = createLimitCounts({ db, limits, clock: databaseClock, timeoutMs });
  const local = createLocalCounts(limits.addressPerMinute);
  const blocks = createBlocks();
  let away = false;
  let probing = false;

  async function countInDatabase(key: string): Promise<LimitStatus> {
    const askedAtMs = now();
    const counted = (await withDeadline(timeoutMs, counts.countAddress(key))).reduce(tightest);
    const timed = local.add(key, counted, now());
    if (!timed.allowed) blocks.add(key, timed, askedAtMs);
    away = false;
    return untimed(timed);
  }

  return {
    refusedHere: address => blocks.find(addressKey(address), now()) ?? null,
    async countAddress(address) {
      const key = addressKey(address);
      const blocked = blocks.find(key, now());
      if (blocked) return blocked;
      // During an outage one request at a time probes the database; the others are counted locally at once.
      if (away && probing) return local.count(key, now());
      const probe = away;
      if (probe) probing = true;
      try {
        return await countInDatabase(key);
      } catch (error) {
        if (!away) options.onUnavailable?.(error);
        away = true;
        return local.count(key, now());
      } finally {
        if (probe) probing = false;
      }
    },
    countHere(address) {
      const key = addressKey(address);
      return blocks.find(key, now()) ?? local.count(key, now());
    },
    async countToken(token, kind) {
      const statuses = await withDeadline(timeoutMs, counts.countToken(token, kind));
      return untimed(statuses.reduce(tightest));
    },
  };
}

function untimed({ msLeft: _, ...status }: TimedStatus): LimitStatus {
  return status;
}
