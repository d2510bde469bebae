// Removes the documents of sets that no head names any more, outside transactions. It can stop and resume at any point.
import type { Collection } from 'mongodb';
import { DOCUMENT_KINDS } from '../../../projections/document-kinds.ts';
import { documentsOf, type GenerationCollections } from '../collections.ts';
import type { StoredDocument } from '../document-codec.ts';

/** One step removes up to this many documents. */
const STEP_DOCUMENTS_MAX = 5000;

/** Removes every marked set. No head names a marked set, so no reader misses it. */
export async function sweep(
  collections: GenerationCollections,
  signal: AbortSignal,
): Promise<void> {
  for await (const { _id: set } of collections.sweeps.find()) {
    await removeSet(collections, set, signal);
    if (signal.aborted) return;
    await collections.sweeps.deleteOne({ _id: set });
  }
}

/** Removes the documents of a set that no head names, in steps, until the signal aborts. */
export async function removeSet(
  collections: GenerationCollections,
  set: string,
  signal: AbortSignal,
): Promise<void> {
  for (const kind of DOCUMENT_KINDS) {
    const collection = documentsOf(collections, kind);
    while (await removeSome(collection, set)) if (signal.aborted) return;
  }
}

async function removeSome(collection: Collection<StoredDocument>, set: string): Promise<boolean> {
  const found = await collection
    .find({ set }, { projection: { _id: 1 }, limit: STEP_DOCUMENTS_MAX })
    .toArray();
  if (found.length === 0) return false;
  await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  return true;
}
