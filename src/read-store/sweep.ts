// Removes the documents of sets that nothing points to any more: outside of transactions, resumable at any point.
import type { Collection, Document } from 'mongodb';
import { COLLECTIONS } from '../../projections/working-set.ts';
import type { GenerationCollections } from './collections.ts';

/** Sweeps all that is marked. No head points to a marked set, so no reader misses it. */
export async function sweep(
  collections: GenerationCollections,
  signal: AbortSignal,
): Promise<void> {
  for await (const { _id: set } of collections.sweeps.find()) {
    for (const name of COLLECTIONS) {
      if (signal.aborted) return;
      // Every collection of documents has the field; their union hides it.
      await (collections[name] as unknown as Collection<Document>).deleteMany({ set });
    }
    await collections.sweeps.deleteOne({ _id: set });
  }
}
