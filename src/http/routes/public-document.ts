// Serves a document that anyone may read and any cache may keep: the API's description and its page.
import { makeEtag, matchesEtag } from '../etag.ts';
import type { Middleware } from '../request-state.ts';

const FRESH_SECONDS = 300;

export interface PublicDocument {
  readonly text: string;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function publicDocument({ text, type, headers = {} }: PublicDocument): Middleware {
  const body = Buffer.from(text);
  const etag = makeEtag([text]);
  return async function publicDocument(ctx) {
    // The limits in the headers are those of one client at one moment, so a cache must ask before each use: the 304 has
    // those of the client that asks.
    const freshness = ctx.state.limit === undefined ? `max-age=${FRESH_SECONDS}` : 'no-cache';
    ctx.set({ ...headers, ETag: etag, 'Cache-Control': `public, ${freshness}` });
    if (matchesEtag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    ctx.status = 200;
    ctx.type = type;
    ctx.body = body;
    // All answers share this body, so one that is not read takes no memory, and needs to keep no other request away.
    ctx.state.leavePlace?.();
  };
}
