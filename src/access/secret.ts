// Random secrets that a browser holds: creation, check of the form, hash for the store, derivation, comparison.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** Returns 256 random bits as 43 characters that need no escaping in a URL or a cookie. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns whether a text has the form of a secret; a malformed one needs no look-up. */
export function isSecret(text: string): boolean {
  return SHAPE.test(text);
}

/** Returns the hash to store: SHA-256 in hexadecimal. Secrets and tokens are long and random, so no slower hash is needed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Returns another secret of 43 characters for one purpose; the first one cannot be computed from it. */
export function deriveSecret(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose, 'utf8').digest('base64url');
}

/** Compares in constant time, so that timing does not reveal how much of a guess is right. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(a)), Buffer.from(hashSecret(b)));
}
