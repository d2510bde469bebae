// Refuses all methods but GET and HEAD, because this API only reads (rules/api.md#read-only).
import { ApiError } from '../api-error.ts';
import type { Middleware } from '../request-state.ts';
import { ALLOW } from './cors.ts';

/** Koa answers HEAD like GET, without the body. `preflight` has already answered OPTIONS. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function methods(): Middleware {
  return async function methods(ctx, next) {
    if (!isRead(ctx.method))
      throw new ApiError('method_not_allowed', { headers: { Allow: ALLOW } });
    await next();
  };
}
