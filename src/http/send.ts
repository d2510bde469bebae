// Sends what was read with its tag, or tells the client that it has it already.
import type { Context } from './request-state.ts';

/** `body` is JSON text, null where the client has it. Every use is asked for anew: no cache may answer by itself. */
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
