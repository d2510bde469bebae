// Encodes values for the database.
import { Long } from 'mongodb';

/** Returns money as a 64-bit integer; the driver reads it back as a safe integer. */
export function money(amount: number): Long {
  return Long.fromNumber(amount);
}

/**
 * Returns a record with sorted keys, so that the order of events does not show; later updates append keys. It is a Map,
 * because an object would put integer-like keys ('10' to '31') first.
 */
export function sorted<V>(
  record: Readonly<Record<string, V>>,
  encode: (value: V) => unknown,
): Map<string, unknown> {
  const keys = Object.keys(record).sort();
  return new Map(keys.map(key => [key, encode(record[key] as V)]));
}
