// Serves one path with a handler for each method that it accepts.
import type { Middleware } from '../../http/request-state.ts';
import { PageError } from './page-error.ts';

export function byMethod(handlers: {
  readonly GET?: Middleware;
  readonly POST?: Middleware;
}): Middleware {
  const allowed = [...(handlers.GET ? ['GET', 'HEAD'] : []), ...(handlers.POST ? ['POST'] : [])];
  return async function byMethod(ctx, next) {
    // Koa drops the body for HEAD, so GET handlers serve both.
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const handler = method === 'GET' || method === 'POST' ? handlers[method] : undefined;
    if (handler) return await handler(ctx, next);
    const headers = { Allow: allowed.join(', ') };
    throw new PageError('Not possible', 'This page does not take that.', { status: 405, headers });
  };
}
