// Gives each request an id, and logs one line for it, but never its query (a search is personal), its token or its address.
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../process/log.ts';
import { traceIdsOf } from '../../process/trace-context.ts';
import type { Middleware } from '../request-state.ts';

/** A target may be an absolute URL (RFC 9112, absolute-form). */
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** Gives a request its id, and splits its target into path and query without normalizing them. */
export const requestId: Middleware = async (ctx, next) => {
  ctx.state.requestId = randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  const target = (ctx.req.url ?? '').replace(ORIGIN, '');
  const mark = target.indexOf('?');
  ctx.state.path = (mark === -1 ? target : target.slice(0, mark)) || '/';
  ctx.state.query = mark === -1 ? '' : target.slice(mark + 1);
  // Koa's own parser normalizes a path, and fails for some: for anything that is none, and for `//a@[#`.
  ctx.req.url = '/';
  (ctx as { newRouterPath?: string }).newRouterPath = ctx.state.path;
  await next();
};

/** A handled request, as the metrics count it. */
export interface RequestObservation {
  /** `-` for input that never became a request. */
  readonly method: string;
  /** The pattern of the path; `-` if the path is unknown or the request was refused before routing. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

type Handled = Omit<RequestObservation, 'ms'> & {
  /** By `performance.now`. */
  readonly startedAtMs: number;
};

/** Returns a function that logs a handled request and reports it to the metrics. */
export function noteRequests(
  logger: Logger,
  observe: (request: RequestObservation) => void = () => {},
): (handled: Handled, requestId: string, traceparent?: string) => void {
  return function noteRequest({ startedAtMs, ...handled }, requestId, traceparent) {
    const ms = Math.round((performance.now() - startedAtMs) * 100) / 100;
    const observation = { ...handled, ms };
    logger.info({ ...observation, requestId, ...traceIdsOf(traceparent) }, 'request');
    observe(observation);
  };
}

export function requestLog(
  logger: Logger,
  observe?: (request: RequestObservation) => void,
): Middleware {
  const note = noteRequests(logger, observe);
  return async function requestLog(ctx, next) {
    const startedAtMs = performance.now();
    await next();
    const route = (ctx as { _matchedRoute?: string })._matchedRoute ?? '-';
    const { method, status } = ctx;
    note({ method, route, status, startedAtMs }, ctx.state.requestId, ctx.get('traceparent'));
  };
}
