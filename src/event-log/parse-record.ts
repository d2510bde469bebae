// Parses the value of a record into the JSON object of an event, or names what it is instead. Pure.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

/** Values that producers write by mistake, by their first bytes, and what to do about it. */
const MISTAKES: readonly (readonly [first: readonly number[], got: string])[] = [
  [[0xef, 0xbb, 0xbf], 'text with a byte order mark: write UTF-8 without it'],
  [[0xff, 0xfe], 'text in UTF-16: write UTF-8'],
  [[0xfe, 0xff], 'text in UTF-16: write UTF-8'],
  [[0x7b, 0x00], 'text in UTF-16: write UTF-8'],
  [[0x00, 0x7b], 'text in UTF-16: write UTF-8'],
  [[0x4f, 0x62, 0x6a, 0x01], 'an Avro file: write JSON'],
];
/** A serializer of a schema registry begins with a zero and the schema's id in four bytes. */
const REGISTRY_BYTES = 5;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Returns the JSON object of a record, or a sentence that says why there is none.
 *
 * @param value bytes; or the text that a queue keeps of them, for which the sentence is the same
 */
export function parseRecord(value: Uint8Array | string | null): object | string {
  // Queues store a record without a value as an empty one: its reason must stay the same when it is retried.
  if (value === null || value.length === 0) {
    return 'Expected an event, got a record without a value';
  }
  if (typeof value !== 'string') {
    const summary = summaryOfLarge(value);
    if (summary !== null) return summary;
    if (!isUtf8(value)) return `Expected an event as JSON in UTF-8, got ${mistakeIn(value)}`;
  }
  const text = typeof value === 'string' ? value : textOf(value);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be personal.
    if (SUMMARY.test(text)) return text;
    return `Expected an event as JSON in UTF-8, got ${mistakeIn(keptBytes(text))}`;
  }
  if (Array.isArray(parsed)) {
    return 'Expected an event as a JSON object, got a JSON list: write each event of a batch as a record of its own';
  }
  if (typeof parsed === 'object' && parsed !== null) return parsed;
  return 'Expected an event as a JSON object, got another JSON value';
}

/** Returns an attribute of a record's event; undefined where it has none, or is no event. */
export function attributeOf(value: Uint8Array | string | null, name: string): unknown {
  const parsed = parseRecord(value);
  return typeof parsed === 'string' ? undefined : (parsed as Record<string, unknown>)[name];
}

/** Returns the value of `data_base64`, or a sentence that says why there is none. */
export function parseBase64(text: string): { readonly data: unknown } | string {
  const bytes = Buffer.from(text, 'base64');
  if (!BASE64.test(text)) return 'Expected data_base64 to be base64, got other text';
  try {
    if (isUtf8(bytes)) return { data: JSON.parse(textOf(bytes)) };
  } catch {}
  return `Expected data_base64 to hold JSON in UTF-8, got ${mistakeIn(bytes)}`;
}

/** Keeps a byte order mark, which is invalid JSON: bytes and text get the same result. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** A queue keeps bytes that are no UTF-8 as base64. */
function keptBytes(text: string): Uint8Array {
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : null;
  return bytes && !isUtf8(bytes) ? bytes : Buffer.from(text, 'utf8');
}

function mistakeIn(bytes: Uint8Array): string {
  const known = MISTAKES.find(([first]) => first.every((byte, index) => bytes[index] === byte));
  if (known) return known[1];
  if (bytes[0] === 0 && bytes.length > REGISTRY_BYTES) {
    const id = Buffer.from(bytes).readUInt32BE(1);
    return `bytes of a schema registry's serializer (schema ${id}): write JSON without it`;
  }
  return isUtf8(bytes) ? 'text that is no JSON' : 'bytes that are no UTF-8';
}

/**
 * Largest value of a record that is read: a queue keeps values, and a document of MongoDB has at most 16 MB. In base64, as
 * a queue keeps bytes that are no text, it has a third more.
 */
export const READ_BYTES_MAX = 12_000_000;

const SUMMARY = /^Expected a record of at most [0-9]+ bytes, got [0-9]+ \(SHA-256 [0-9a-f]{64}\)$/;

/** Returns the summary of a value that is too large, which is kept in its place; null for any other. */
export function summaryOfLarge(value: Uint8Array): string | null {
  const { length } = value;
  if (length <= READ_BYTES_MAX) return null;
  const hash = createHash('sha256').update(value).digest('hex');
  return `Expected a record of at most ${READ_BYTES_MAX} bytes, got ${length} (SHA-256 ${hash})`;
}
