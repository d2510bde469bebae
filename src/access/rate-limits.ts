// The status of a window after a request, and which of several windows a response describes (pure).
import type { RequestKind, WindowName } from './windows.ts';

/** One window as a response describes it: its three figures belong together. */
export interface LimitStatus {
  /** The name that refusals are counted under. */
  readonly window: WindowName;
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, UTC epoch seconds. */
  readonly resetAt: number;
  /** Whole seconds to the end of the window, rounded up, at least 1. */
  readonly retryAfterSeconds: number;
  /** Set while the database is away: the count is that of this process alone. */
  readonly degraded?: true;
}

export interface TimedStatus extends LimitStatus {
  /** Time to the end of the window, by the database's clock. */
  readonly msLeft: number;
}

export interface RateLimiter {
  /** Counts a request for its client's address; never throws, see `degraded`. */
  countAddress(address: string): Promise<LimitStatus>;
  /** Counts a request for its token and the token's owner; throws while the database is away. */
  countToken(token: { id: string; owner: string }, kind: RequestKind): Promise<LimitStatus>;
}

/** A window as it was counted. */
export interface WindowCount {
  readonly window: WindowName;
  readonly limit: number;
  readonly count: number;
  readonly allowed: boolean;
  readonly endsAtMs: number;
}

/** Describes a window at an instant of the clock that counted it. */
export function limitStatus(counted: WindowCount, nowMs: number): LimitStatus {
  const { window, allowed, limit, count, endsAtMs } = counted;
  return {
    window,
    allowed,
    limit,
    remaining: Math.max(0, limit - count),
    resetAt: Math.ceil(endsAtMs / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)),
  };
}

/**
 * The window that a response describes: a refusing one before any other, and of several refusing
 * ones that which resets last; otherwise the one with the smallest remaining count, on a tie that
 * which resets last.
 */
export function tightest<Status extends LimitStatus>(a: Status, b: Status): Status {
  if (a.allowed !== b.allowed) return a.allowed ? b : a;
  if (a.allowed && a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return b.resetAt > a.resetAt ? b : a;
}
