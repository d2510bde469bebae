// Reads a page of payees or labels, of all or of one name, ordered by name key, then id.
import { normalizeText } from '../../../../projections/normalize-text.ts';
import type { Payee } from '../../../../schemas/generated/api.ts';
import type { Reading } from '../../snapshot.ts';

export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

interface NamedQuery extends PageRange {
  readonly name?: string;
}

/** The index has this order: the store compares texts byte by byte, which in UTF-8 means by code point. */
export async function readNamed(
  { collections, options }: Reading,
  { kind, set }: { readonly kind: 'payees' | 'labels'; readonly set: string },
  { name: wanted, limit, offset }: NamedQuery,
): Promise<Payee[]> {
  const filter = wanted === undefined ? { set } : { set, nameKey: normalizeText(wanted) };
  return await collections[kind]
    .find(filter, { ...options, projection: { _id: 0, id: 1, name: 1 } })
    .sort({ set: 1, nameKey: 1, id: 1 })
    .skip(offset)
    .limit(limit)
    .batchSize(limit + 1)
    .map(({ id, name }) => ({ id, name }))
    .toArray();
}
