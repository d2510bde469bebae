// Records that are too large for the read model: a queue keeps values, and a document of MongoDB has at most 16 MB.
import { createHash } from 'node:crypto';

/** Largest value of a record that is read. In base64, as a queue keeps bytes that are no text, it has a third more. */
export const READ_BYTES_MAX = 12_000_000;

const SUMMARY = /^Expected a record of at most [0-9]+ bytes, got [0-9]+ \(SHA-256 [0-9a-f]{64}\)$/;

/** Returns the summary of a value that is too large, which is kept in its place; null for any other. */
export function summaryOfLarge(value: Uint8Array): string | null {
  const { length } = value;
  if (length <= READ_BYTES_MAX) return null;
  const hash = createHash('sha256').update(value).digest('hex');
  return `Expected a record of at most ${READ_BYTES_MAX} bytes, got ${length} (SHA-256 ${hash})`;
}

/** Returns whether a value is such a summary. */
export function isSummaryOfLarge(text: string): boolean {
  return SUMMARY.test(text);
}
