// The value of a token: creation, and check of its form without a look-up.
import { crc32 } from 'node:zlib';

const PREFIX = 'service_pat_';
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LETTERS = 30;
const CHECKSUM_LETTERS = 6;
/** The largest multiple of 62 in a byte. Bytes from here on are discarded, or some letters would be likelier. */
const FAIR_BYTES = 248;
const SHAPE = /^service_pat_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Returns a new token: prefix, 30 random base62 letters, and the CRC32 of those 30 as 6 base62 letters. */
export function createTokenValue(random: (bytes: number) => Uint8Array): string {
  let letters = '';
  while (letters.length < RANDOM_LETTERS) {
    for (const byte of random(RANDOM_LETTERS - letters.length)) {
      if (byte < FAIR_BYTES) letters += LETTERS.charAt(byte % LETTERS.length);
    }
  }
  return PREFIX + letters + checksum(letters);
}

/** Returns whether a string can be a token: its shape and its checksum are right. */
export function isTokenValue(value: string): boolean {
  const match = SHAPE.exec(value);
  return match !== null && checksum(match[1] ?? '') === match[2];
}

function checksum(letters: string): string {
  let rest = crc32(letters);
  let encoded = '';
  while (encoded.length < CHECKSUM_LETTERS) {
    encoded = LETTERS.charAt(rest % LETTERS.length) + encoded;
    rest = Math.floor(rest / LETTERS.length);
  }
  return encoded;
}
