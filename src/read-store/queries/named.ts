// Reads a page of payees or labels, ordered by name key, then id.
import type { Payee } from '../../../schemas/generated/api.ts';
import type { Reading } from '../snapshot.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The index has this order: the store compares texts byte by byte, which in UTF-8 means by code point. */
export async function readNamed(
  { collections, options }: Reading,
  { kind, set }: { readonly kind: 'payees' | 'labels'; readonly set: string },
  { limit, offset }: Page,
): Promise<Payee[]> {
  return await collections[kind]
    .find({ set }, { ...options, projection: { _id: 0, id: 1, name: 1 } })
    .sort({ set: 1, nameKey: 1, id: 1 })
    .skip(offset)
    .limit(limit)
    .batchSize(limit + 1)
    .map(({ id, name }) => ({ id, name }))
    .toArray();
}
