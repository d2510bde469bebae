// Records whose keys come and go: one value for each day or month.

/**
 * Returns a copy without a prototype. V8 stores such an object as a hash table from the start. For a literal it would
 * record a new shape with each key, and the shapes of many months take more memory than their values.
 */
export function dictionary<T>(from?: Readonly<Record<string, T>>): Record<string, T> {
  return Object.assign(Object.create(null), from);
}

/** Returns whether a record has no keys; it reads one key at most. */
export function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  for (const _key in record) return false;
  return true;
}
