// One path, a handler for each method that it takes.
import type { Middleware } from '../http/request-state.ts';
import { PageError } from './page-error.ts';

export function byMethod(handlers: {
  readonly GET?: Middleware;
  readonly POST?: Middleware;
}): Middleware {
  const allowed = [...(handlers.GET ? ['GET', 'HEAD'] : []), ...(handlers.POST ? ['POST'] : [])];
  return async function byMethod(ctx, next) {
    // Koa answers HEAD as GET, without the body.
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const handler = method === 'GET' || method === 'POST' ? handlers[method] : undefined;
    if (handler) return await handler(ctx, next);
    const headers = { Allow: allowed.join(', ') };
    throw new PageError(405, 'Not possible', 'This page does not take that.', { headers });
  };
}
