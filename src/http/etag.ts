// Entity tags: made from what an answer depends on, compared weakly (RFC 9110, sections 8.8.3 and 13.1.2).
import { createHash } from 'node:crypto';

/** Letters of a tag: 128 bits in base64url. */
const TAG_LETTERS = 22;

/** Weak, since it does not speak of bytes. */
export function makeEtag(parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `W/"${hash.slice(0, TAG_LETTERS)}"`;
}

/** Whether the client has it already; `ifNoneMatch` is empty where the header is absent. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  // No tag of ours has a comma in it.
  return ifNoneMatch.split(',').some(tag => opaqueOf(tag.trim()) === opaqueOf(etag));
}

/** Before the quotes stands `W/`, in capitals, or nothing. */
function opaqueOf(tag: string): string {
  return tag.replace(/^W\//, '');
}
