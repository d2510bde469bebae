// How a document of a set is found by its own id.

/** Ids have no slash, so the two parts cannot be mistaken. */
export function storedId(set: string, id: string): string {
  return `${set}/${id}`;
}
