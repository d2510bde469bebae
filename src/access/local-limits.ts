// Counts and blocks that one process keeps in bounded memory; both expire with their minute.
import { type LimitStatus, limitStatus, type TimedStatus } from './rate-limits.ts';
import { UNIT_MS, WINDOWS } from './windows.ts';

const { name: window, unit } = WINDOWS.addressPerMinute;
const MINUTE_MS = UNIT_MS[unit];
/** Addresses beyond this share one count and get no block, so that a flood cannot fill the memory. */
export const ADDRESSES_MAX = 100_000;

/** Returns a function that counts addresses during an outage, in full minutes of this process's clock. */
export function createLocalCounts(
  limit: number,
  addressesMax: number = ADDRESSES_MAX,
): (address: string, nowMs: number) => LimitStatus {
  const counts = new Map<string, number>();
  let minute = 0;
  return function countLocally(address, nowMs) {
    const thisMinute = Math.floor(nowMs / MINUTE_MS);
    if (thisMinute !== minute) counts.clear();
    minute = thisMinute;
    const key = counts.has(address) || counts.size < addressesMax ? address : '';
    const before = counts.get(key) ?? 0;
    const allowed = before < limit;
    const count = allowed ? before + 1 : before;
    counts.set(key, count);
    const endsAtMs = (minute + 1) * MINUTE_MS;
    return { ...limitStatus({ window, limit, count, allowed, endsAtMs }, nowMs), degraded: true };
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
