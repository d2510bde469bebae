// The form in which documents are written: values encoded for the database, and collections typed by that form.
import { type Collection, type Document, Long } from 'mongodb';

/** The database and name of a collection, whatever its documents. */
export type CollectionPlace = Pick<Collection, 'db' | 'collectionName'>;

/** Returns the same collection for documents of another type, such as the form in which they are written. */
export function inForm<T extends Document>({ db, collectionName }: CollectionPlace): Collection<T> {
  return db.collection<T>(collectionName);
}

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
