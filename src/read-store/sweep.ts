// Removes the documents of sets that nothing points to any more: outside of transactions, resumable at any point.
import type { Collection, Document } from 'mongodb';
import { COLLECTIONS } from '../../projections/working-set.ts';
import type { GenerationCollections } from './collections.ts';

/** Documents that one step removes. */
const STEP_DOCUMENTS_MAX = 5000;

/** Sweeps all that is marked. No head points to a marked set, so no reader misses it. */
export async function sweep(
  collections: GenerationCollections,
  signal: AbortSignal,
): Promise<void> {
  for await (const { _id: set } of collections.sweeps.find()) {
    for (const name of COLLECTIONS) {
      // Every collection of documents has the field; their union hides it.
      const collection = collections[name] as unknown as Collection<Document & { _id: string }>;
      while (await removeSome(collection, set)) if (signal.aborted) return;
    }
    if (signal.aborted) return;
    await collections.sweeps.deleteOne({ _id: set });
  }
}

async function removeSome(
  collection: Collection<Document & { _id: string }>,
  set: string,
): Promise<boolean> {
  const found = await collection
    .find({ set }, { projection: { _id: 1 }, limit: STEP_DOCUMENTS_MAX })
    .toArray();
  if (found.length === 0) return false;
  await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  return true;
}
