// Gives each request an id, and splits its target into path and query without normalizing them.
import { randomUUID } from 'node:crypto';
import type { Middleware } from '../request-state.ts';

/** A target may be an absolute URL (RFC 9112, absolute-form). */
const ORIGIN = /^https?:\/\/[^/?]*/i;

export function requestId(): Middleware {
  return async function requestId(ctx, next) {
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
}
