// Entity tags: hashes of everything that an answer depends on, compared weakly (RFC 9110, sections 8.8.3 and 13.1.2); and
// answers that are sent with them.
import { createHash } from 'node:crypto';
import type { Context } from './request-state.ts';

/** Length of a tag in base64url letters: enough for 128 bits. */
const TAG_LETTERS = 22;

/** Returns a weak tag: it identifies the data of an answer, not its bytes, so it matches in whatever content coding. */
export function makeEtag(parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `W/"${hash.slice(0, TAG_LETTERS)}"`;
}

/** Returns whether the client already has this version; `ifNoneMatch` is empty if the header is absent. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (matchesAny(ifNoneMatch)) return true;
  // Tags of this service contain no comma.
  return ifNoneMatch.split(',').some(tag => opaqueOf(tag.trim()) === opaqueOf(etag));
}

/** Returns whether the header matches whatever there is: it does not show that the client has been answered before. */
export function matchesAny(ifNoneMatch: string): boolean {
  return ifNoneMatch.trim() === '*';
}

/** Returns a tag without its prefix `W/`, which is case-sensitive. */
function opaqueOf(tag: string): string {
  return tag.replace(/^W\//, '');
}

/**
 * Sends a body with its ETag, or 304. `body` is JSON text, null if the client already has it. Caches must revalidate before
 * each use.
 */
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
