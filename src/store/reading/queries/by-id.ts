// Documents of a set by their id: the id under which they are stored, and whether a set has what a query names.
import { documentsOf } from '../../collections.ts';
import type { Reading } from '../../snapshot.ts';

/** Builds the id under which a document of a set is stored. Ids contain no slash, so the two parts are unambiguous. */
export function storedId(set: string, id: string): string {
  return `${set}/${id}`;
}

export interface NamedDocument {
  readonly kind: 'accounts' | 'categories' | 'payees' | 'labels' | 'rows';
  readonly id: string;
}

/** Returns whether a document set has all named documents. */
export async function setHas(
  { collections, options }: Reading,
  set: string,
  named: readonly NamedDocument[],
): Promise<boolean> {
  const found = await Promise.all(
    named.map(({ kind, id }) =>
      documentsOf(collections, kind).findOne(
        { _id: storedId(set, id) },
        { ...options, projection: { _id: 1 } },
      ),
    ),
  );
  return !found.includes(null);
}
