// Looks for what a query names by its id.
import { documentsOf } from '../collections.ts';
import type { Reading } from '../snapshot.ts';
import { storedId } from './stored-id.ts';

export interface NamedDocument {
  readonly kind: 'accounts' | 'categories' | 'payees' | 'labels' | 'rows';
  readonly id: string;
}

/** Returns whether a document set has the named document; true if none is named. */
export async function setHas(
  { collections, options }: Reading,
  set: string,
  named: NamedDocument | null,
): Promise<boolean> {
  if (named === null) return true;
  const found = await documentsOf(collections, named.kind).findOne(
    { _id: storedId(set, named.id) },
    { ...options, projection: { _id: 1 } },
  );
  return found !== null;
}
