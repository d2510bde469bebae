// Looks for the account or category that a query names.
import type { Reading } from '../snapshot.ts';
import { storedId } from './stored-id.ts';

export interface NamedDocument {
  readonly kind: 'accounts' | 'categories';
  readonly id: string;
}

/** Returns whether a document set has the named document; true if none is named. */
export async function setHas(
  { collections, options }: Reading,
  set: string,
  named: NamedDocument | null,
): Promise<boolean> {
  if (named === null) return true;
  const id = { _id: storedId(set, named.id) };
  const found = await collections[named.kind].findOne(id, { ...options, projection: { _id: 1 } });
  return found !== null;
}
