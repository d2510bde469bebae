// The rate limiter: counts that all readers share in the database, and the blocks and counts of addresses that each
// process keeps in bounded memory; both expire with their minute.
import type { Db, Document } from 'mongodb';
import type { RateLimits } from '../process/config.ts';
import { withDeadline } from '../store/database-errors.ts';
import { addressKey } from './address.ts';
import { createLimitCounts, DATABASE_CLOCK } from './limit-counts.ts';
import {
  type LimitStatus,
  limitStatus,
  type RateLimiter,
  type TimedStatus,
  tightest,
} from './rate-limits.ts';
import { UNIT_MS, WINDOWS } from './windows.ts';

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

const { name: window, unit } = WINDOWS.addressPerMinute;
const MINUTE_MS = UNIT_MS[unit];
/** Addresses beyond this share one count and get no block, so that a flood cannot fill the memory. */
const ADDRESSES_MAX = 100_000;

/** What this process knows of an address in the current minute. */
interface Known {
  /** Requests that this process let pass. */
  own: number;
  /** The largest count of the database, and what passed without it since. */
  all: number;
}

/**
 * Counts each request of an address, whether the database counts it too or not, so that an outage does not begin a new
 * count. Minutes are those of the database's clock, as far as it is known.
 */
interface LocalCounts {
  /** Counts a request that the database counted. Returns the status with the larger of both counts. */
  add(address: string, status: TimedStatus, nowMs: number): TimedStatus;
  /** Counts a request without the database. `nowMs` is the time of this process's clock. */
  count(address: string, nowMs: number): LimitStatus;
}

export function createLocalCounts(
  limit: number,
  addressesMax: number = ADDRESSES_MAX,
): LocalCounts {
  const counts = new Map<string, Known>();
  let minute = 0;
  /** Whether the database named the minute, rather than this process's clock. */
  let isOfDatabase = false;
  /** How far the database's clock is ahead of this process's clock. */
  let aheadMs = 0;

  function enter(next: number, ofDatabase: boolean): void {
    if (next !== minute) counts.clear();
    isOfDatabase = next === minute ? isOfDatabase || ofDatabase : ofDatabase;
    minute = next;
  }

  function knownOf(address: string): Known {
    const known = counts.get(address) ?? { own: 0, all: 0 };
    counts.set(address, known);
    return known;
  }

  const hasRoom = (address: string) => counts.has(address) || counts.size < addressesMax;

  return {
    add(address, status, nowMs) {
      const endsAtMs = status.resetAt * 1000;
      const databaseMinute = endsAtMs / MINUTE_MS - 1;
      // An answer that arrives after that of a later minute.
      if (isOfDatabase && databaseMinute < minute) return status;
      enter(databaseMinute, true);
      aheadMs = endsAtMs - status.msLeft - nowMs;
      if (!hasRoom(address)) return status;
      const known = knownOf(address);
      known.all = Math.max(known.all, limit - status.remaining);
      const allowed = status.allowed && known.own < limit;
      if (allowed) known.own += 1;
      const remaining = Math.max(0, Math.min(status.remaining, limit - known.own));
      return { ...status, allowed, remaining };
    },
    count(address, nowMs) {
      const databaseMs = nowMs + aheadMs;
      const estimated = Math.floor(databaseMs / MINUTE_MS);
      // The estimate may be slightly behind: a minute that has begun does not end.
      if (estimated !== minute - 1) enter(estimated, false);
      const known = knownOf(hasRoom(address) ? address : '');
      const before = Math.max(known.own, known.all);
      const allowed = before < limit;
      if (allowed) {
        known.own += 1;
        known.all = before + 1;
      }
      const count = allowed ? before + 1 : before;
      const endsAtMs = (minute + 1) * MINUTE_MS;
      const counted = { window, limit, count, allowed, endsAtMs };
      return { ...limitStatus(counted, databaseMs), degraded: true };
    },
  };
}

/** Remembers refused addresses until their window ends, so that a flood costs the database nothing. */
interface Blocks {
  /** `askedAtMs` is the time of this process's clock just before it asked the database. */
  add(address: string, status: TimedStatus, askedAtMs: number): void;
  find(address: string, nowMs: number): LimitStatus | undefined;
}

export function createBlocks(addressesMax: number = ADDRESSES_MAX): Blocks {
  const addresses = new Set<string>();
  let status: LimitStatus | undefined;
  let fromMs = 0;
  let untilMs = 0;
  return {
    add(address, { msLeft, ...refused }, askedAtMs) {
      if (status !== undefined && refused.resetAt < status.resetAt) return;
      if (refused.resetAt !== status?.resetAt) addresses.clear();
      status = refused;
      // Measured from before the query, a block ends with its window or slightly earlier, never later, however far
      // the two clocks differ.
      fromMs = askedAtMs;
      untilMs = askedAtMs + msLeft;
      if (addresses.size < addressesMax) addresses.add(address);
    },
    find(address, nowMs) {
      // A clock that is set back must not prolong a block.
      if (status === undefined || nowMs < fromMs || nowMs >= untilMs) return undefined;
      if (!addresses.has(address)) return undefined;
      const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
      return { ...status, retryAfterSeconds };
    },
  };
}
