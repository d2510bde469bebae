// Decodes a record that must be invalid.
import { decode, type InvalidRecord } from '../../src/event-log/decode.ts';

export function refused(value: Uint8Array | string | null, key?: string | null): InvalidRecord {
  const decoded = decode(value, key);
  if (decoded.kind !== 'invalid') throw new Error(`Expected an invalid event, got ${decoded.kind}`);
  return decoded;
}
