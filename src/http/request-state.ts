// What the middleware of one request hand on to each other.
import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';
import type { LimitStatus } from '../access/rate-limits.ts';
import type { Token } from '../access/tokens.ts';

export interface RequestState {
  requestId: string;
  /** The path exactly as it was sent, without the query. */
  path: string;
  /** The query exactly as it was sent, without the question mark. */
  query: string;
  /** The window that will refuse first, of those that were asked so far. */
  limit?: LimitStatus;
  /** Begun beside the count of the address; null for junk. */
  lookUp?: Promise<Token | null>;
  token?: Token;
}

export type Context = ParameterizedContext<RequestState>;
export type Middleware = KoaMiddleware<RequestState>;

/** Lets a promise be awaited later, or never, without an unhandled rejection in between. */
export function begin<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
