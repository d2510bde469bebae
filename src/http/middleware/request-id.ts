// Gives each request an id, and takes its target apart as it was sent.
import { randomUUID } from 'node:crypto';
import type { Middleware } from '../request-state.ts';

/** A target may be a whole address (RFC 9112, absolute-form). */
const ORIGIN = /^https?:\/\/[^/?]*/i;

export function requestId(): Middleware {
  return async function requestId(ctx, next) {
    ctx.state.requestId = randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    const target = (ctx.req.url ?? '').replace(ORIGIN, '');
    const mark = target.indexOf('?');
    ctx.state.path = (mark === -1 ? target : target.slice(0, mark)) || '/';
    ctx.state.query = mark === -1 ? '' : target.slice(mark + 1);
    // What is left for Koa is a path: of anything else its own parser fails.
    ctx.req.url = target.startsWith('/') ? target : '/';
    // The router takes this before Koa's own path, which mends what is odd.
    (ctx as { newRouterPath?: string }).newRouterPath = ctx.state.path;
    await next();
  };
}
