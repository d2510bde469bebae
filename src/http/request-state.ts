// The state that the middleware of one request share.
import type { ServerResponse } from 'node:http';
import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';
import type { LimitStatus } from '../access/rate-limits.ts';
import type { Token } from '../access/token.ts';
import type { AcceptedCoding } from './content-coding.ts';

export interface RequestState {
  requestId: string;
  /** The path exactly as it was sent, without the query. */
  path: string;
  /** The query exactly as it was sent, without the question mark. */
  query: string;
  /** The arguments of the tool that asks a route. */
  takes?: readonly string[];
  /** The response that the client of the tool receives. */
  toolResponse?: ServerResponse;
  /** The tightest of the windows that have counted the request so far. */
  limit?: LimitStatus;
  /** Started while the address is counted; absent without a token, null for an unknown or malformed one. */
  lookUp?: Promise<Token | null>;
  token?: Token;
  /** What the client accepts as compression. */
  accepted?: AcceptedCoding;
  /** Gives the place back that the request takes among those in flight. */
  leavePlace?: () => void;
  /** Aborted when the client has gone away; absent before the request reads. */
  abandoned?: AbortSignal;
}

export type Context = ParameterizedContext<RequestState>;
export type Middleware = KoaMiddleware<RequestState>;
