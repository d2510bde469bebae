// Counts and blocks that one process keeps in bounded memory; both expire with their minute.
import { type LimitStatus, limitStatus, type TimedStatus } from './rate-limits.ts';
import { UNIT_MS, WINDOWS } from './windows.ts';

const { name: window, unit } = WINDOWS.addressPerMinute;
const MINUTE_MS = UNIT_MS[unit];
/** Addresses beyond this share one count and get no block, so that a flood cannot fill the memory. */
export const ADDRESSES_MAX = 100_000;

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
export interface LocalCounts {
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
export interface Blocks {
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
