// Encodes values for the database.
import { Long } from 'mongodb';

const HIGH = 2 ** 32;

/**
 * Returns money, a safe integer, as a 64-bit integer; the driver reads it back as a safe integer. `Long.fromNumber`
 * gives the same, by way of two more objects where the amount is negative.
 */
export function money(amount: number): Long {
  return Long.fromBits(amount | 0, Math.floor(amount / HIGH));
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
