// Random secrets that a browser holds: how they are made, told from junk, hashed for the store, and derived from.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits as 43 characters that need no escape in an address or a cookie. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether a text can be a secret at all, so that junk costs no look-up. */
export function isSecret(text: string): boolean {
  return SHAPE.test(text);
}

/** What is stored of it: its SHA-256, in hexadecimal. Of so many random bits no slower hash is needed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Another secret for one purpose, from which the first cannot be found; 43 characters as well. */
export function deriveSecret(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose, 'utf8').digest('base64url');
}

/** Compares without telling by its time how much of a guess was right. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(a)), Buffer.from(hashSecret(b)));
}
