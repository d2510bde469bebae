// What a rate limit answers, and which of several windows a response describes (pure).

/** One window as a response describes it: its three figures belong together. */
export interface LimitStatus {
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

export type RequestKind = 'read' | 'write';

export interface RateLimiter {
  /** Counts a request for its client's address; never throws, see `degraded`. */
  countAddress(address: string): Promise<LimitStatus>;
  /** Counts a request for its token and the token's owner; throws while the database is away. */
  countToken(token: { id: string; owner: string }, kind: RequestKind): Promise<LimitStatus>;
}

/** A window as it was counted. */
export interface WindowCount {
  readonly limit: number;
  readonly count: number;
  readonly allowed: boolean;
  readonly endsAtMs: number;
}

/** Describes a window at an instant of the clock that counted it. */
export function limitStatus(window: WindowCount, nowMs: number): LimitStatus {
  return {
    allowed: window.allowed,
    limit: window.limit,
    remaining: Math.max(0, window.limit - window.count),
    resetAt: Math.ceil(window.endsAtMs / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)),
  };
}

/**
 * The window that a response describes: a refusing one before any other, and of several refusing
 * ones that which resets last; otherwise the one with the smallest remaining count, on a tie that
 * which resets last.
 */
export function tightest(a: LimitStatus, b: LimitStatus): LimitStatus {
  if (a.allowed !== b.allowed) return a.allowed ? b : a;
  if (a.allowed && a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return b.resetAt > a.resetAt ? b : a;
}
