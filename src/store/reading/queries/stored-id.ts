// Builds the id under which a document of a set is stored.

/** Ids contain no slash, so the two parts are unambiguous. */
export function storedId(set: string, id: string): string {
  return `${set}/${id}`;
}
