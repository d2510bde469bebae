// Logs one line per request, but never its query (a search is personal), its token or its address.
import type { Log } from '../../log.ts';
import type { Middleware } from '../request-state.ts';

/** A handled request, as the metrics count it. */
export interface RequestObservation {
  readonly method: string;
  /** The pattern of the path; `-` if the path is unknown or the request was refused before routing. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export function requestLog(
  logger: Log,
  observe: (request: RequestObservation) => void = () => {},
): Middleware {
  return async function requestLog(ctx, next) {
    const startedAtMs = performance.now();
    await next();
    const observation = {
      method: ctx.method,
      route: (ctx as { _matchedRoute?: string })._matchedRoute ?? '-',
      status: ctx.status,
      ms: Math.round((performance.now() - startedAtMs) * 100) / 100,
    };
    logger.info({ ...observation, requestId: ctx.state.requestId }, 'request');
    observe(observation);
  };
}
