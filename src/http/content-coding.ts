// Chooses the content coding of an answer by the header Accept-Encoding (RFC 9110, section 12.5.3).
import * as zlib from 'node:zlib';
import Negotiator from 'negotiator';

export type ContentCoding = 'zstd' | 'br' | 'gzip';

/** What the client and this service have in common, best first; Node has zstd since 22.15. */
const CODINGS: readonly ContentCoding[] =
  'zstdCompress' in zlib ? ['zstd', 'br', 'gzip'] : ['br', 'gzip'];
const CHOICES = [...CODINGS, 'identity'];
/**
 * Of a header that lists preferences. No browser or library sends half of it; the time to read one grows with the square
 * of its length.
 */
export const HEADER_CHARACTERS_MAX = 500;

/** The types of @types/negotiator are those of 0.6, which had no preference of the server. */
interface PreferringNegotiator {
  encoding(
    choices: readonly string[],
    options: { readonly preferred: readonly string[] },
  ): string | undefined;
}

export interface AcceptedCoding {
  /** Null if the client accepts none, or prefers the body as it is. */
  readonly coding: ContentCoding | null;
  /** Whether the client refuses a body as it is, however small it is. */
  readonly refusesIdentity: boolean;
}

const IDENTITY: AcceptedCoding = { coding: null, refusesIdentity: false };

/**
 * A header that is absent, malformed or very long chooses no coding, and so does one that accepts nothing of what this
 * service has: a readable body serves such a client better than 406.
 */
export function chooseCoding(acceptEncoding: string): AcceptedCoding {
  if (acceptEncoding === '' || acceptEncoding.length > HEADER_CHARACTERS_MAX) return IDENTITY;
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator: PreferringNegotiator = new Negotiator({ headers });
  const choose = (choices: readonly string[]) =>
    negotiator.encoding(choices, { preferred: CHOICES });
  const chosen = choose(CHOICES);
  const coding = CODINGS.find(one => one === chosen) ?? null;
  return { coding, refusesIdentity: coding !== null && choose(['identity']) === undefined };
}

/** Larger bodies are compressed; smaller ones arrive in one packet as they are. */
const PLAIN_BYTES_MAX = 1400;

export function isSmall(body: string | Buffer): boolean {
  return Buffer.byteLength(body) <= PLAIN_BYTES_MAX;
}

/** Returns the coding for this body, null for the body as it is. */
export function codingOf(
  { coding, refusesIdentity }: AcceptedCoding,
  body: string | Buffer,
): ContentCoding | null {
  return refusesIdentity || !isSmall(body) ? coding : null;
}
