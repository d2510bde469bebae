// Whether a set has the documents that a query names.
import { keyOf } from '../../../../projections/working-set-entries.ts';
import { documentsOf } from '../../collections.ts';
import type { Reading } from '../../snapshot.ts';

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
        { _id: keyOf(set, id) },
        { ...options, projection: { _id: 1 } },
      ),
    ),
  );
  return !found.includes(null);
}
