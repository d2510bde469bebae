// Stores a generation as version 2 of the projections did: without `changed` and without tombstones.
import { documentsOf, type GenerationCollections } from '../../src/read-store/collections.ts';

const MARKED = ['accounts', 'groups', 'categories', 'payees', 'labels', 'rows'] as const;

/** To be called when everything in it is written. */
export async function asVersion2(collections: GenerationCollections): Promise<void> {
  for (const kind of MARKED) {
    const documents = documentsOf(collections, kind);
    for (const { name = '' } of await documents.indexes()) {
      if (name.includes('changed')) await documents.dropIndex(name);
    }
    await documents.updateMany({}, { $unset: { changed: '' } });
  }
  await collections.tombstones.drop();
}
