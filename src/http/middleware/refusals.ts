// Refuses requests whatever they ask for: other methods than GET and HEAD, unknown paths, and all while the process
// stops.
import { ApiError, unavailable } from '../api-error.ts';
import type { Middleware } from '../request-state.ts';
import { ALLOW } from './cors.ts';

/** Koa answers HEAD like GET, without the body. `preflight` has already answered OPTIONS. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Refuses all methods but GET and HEAD, because this API only reads (rules/api.md#read-only). */
export const methods: Middleware = async (ctx, next) => {
  if (!isRead(ctx.method)) throw new ApiError('method_not_allowed', { headers: { Allow: ALLOW } });
  await next();
};

/** Answers 404 for every path without an endpoint, for any method and parameters. */
export const unknownPath: Middleware = async () => {
  throw new ApiError('not_found');
};

/** Refuses requests with 503 while the process stops. Whatever is answered by then is the last on its connection. */
export function refuseWhileStopping(stopping: AbortSignal): Middleware {
  return async function refuseWhileStopping(ctx, next) {
    try {
      if (stopping.aborted) throw unavailable('The service is shutting down');
      await next();
    } finally {
      if (stopping.aborted && !ctx.headerSent) ctx.set('Connection', 'close');
    }
  };
}
