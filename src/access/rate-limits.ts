// The status of a window after a request, and the choice of the window that a response describes (pure).
import type { RequestKind, WindowName } from './windows.ts';

/** A window as a response describes it; limit, remaining and reset are of the same window. */
export interface LimitStatus {
  /** The label under which metrics count refusals. */
  readonly window: WindowName;
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, UTC epoch seconds. */
  readonly resetAt: number;
  /** Whole seconds to the end of the window, rounded up, at least 1. */
  readonly retryAfterSeconds: number;
  /** Set while the database is unavailable: the count is that of this process alone. */
  readonly degraded?: true;
}

export interface TimedStatus extends LimitStatus {
  /** Milliseconds to the end of the window, by the database's clock. */
  readonly msLeft: number;
}

export interface RateLimiter {
  /** Returns the refusal of an address that this process remembers, or null; asks and counts nothing. */
  refusedHere(address: string): LimitStatus | null;
  /** Counts a request for its client's address. Counts locally instead of throwing, see `degraded`. */
  countAddress(address: string): Promise<LimitStatus>;
  /** Counts a request for its client's address in this process alone, without waiting. */
  countHere(address: string): LimitStatus;
  /** Counts a request for its token and the token's owner; throws while the database is unavailable. */
  countToken(token: { id: string; owner: string }, kind: RequestKind): Promise<LimitStatus>;
}

/** The count of a window after a request. */
export interface WindowCount extends Pick<LimitStatus, 'window' | 'limit' | 'allowed'> {
  readonly count: number;
  readonly endsAtMs: number;
}

/** Returns the status of a window; `nowMs` is the time of the clock that counted it. */
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
 * Returns the window that a response describes. A refusing window comes before an allowing one; of two refusing windows
 * the one that resets last; of two allowing ones the one with less remaining, on a tie the one that resets last.
 */
export function tightest<Status extends LimitStatus>(a: Status, b: Status): Status {
  if (a.allowed !== b.allowed) return a.allowed ? b : a;
  if (a.allowed && a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return b.resetAt > a.resetAt ? b : a;
}
