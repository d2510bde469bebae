// Records in which keys come and go: a value for each day or month.

/**
 * A copy without a prototype. V8 keeps such an object as a hash table from the start; of a literal it would note the
 * shape again with each key, and of a read model's many months those shapes come to more than the values.
 */
export function dictionary<T>(from?: Readonly<Record<string, T>>): Record<string, T> {
  return Object.assign(Object.create(null), from);
}

/** Looks at one key at most. */
export function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  for (const _key in record) return false;
  return true;
}
