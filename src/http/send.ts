// Sends a body with its ETag, or 304 if the client already has it.
import type { Context } from './request-state.ts';

/** `body` is JSON text, null if the client already has it. Caches must revalidate before each use. */
export function send(ctx: Context, etag: string, body: string | Buffer | null): void {
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', 'private, no-cache');
  if (body === null) {
    ctx.status = 304;
    return;
  }
  ctx.status = 200;
  ctx.type = 'json';
  ctx.body = body;
}
