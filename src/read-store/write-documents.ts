// Writes what a chunk changed: each touched document once, in the caller's transaction.
import type { AnyBulkWriteOperation, ClientSession, Collection, Document } from 'mongodb';
import type { CollectionName } from '../../projections/documents.ts';
import { COLLECTIONS, type WorkingSet } from '../../projections/working-set.ts';
import type { GenerationCollections } from './collections.ts';
import { storedDocument } from './document-codec.ts';

type StoredDocument = Document & { _id: string };
export type DocumentWrites = ReadonlyMap<CollectionName, AnyBulkWriteOperation<StoredDocument>[]>;

/** The writes that bring the store from what was loaded to what is now. */
export function documentWrites(documents: WorkingSet): DocumentWrites {
  const writes = new Map<CollectionName, AnyBulkWriteOperation<StoredDocument>[]>();
  for (const name of COLLECTIONS) {
    const operations = documents
      .changes(name)
      .map(({ key, loaded, now }): AnyBulkWriteOperation<StoredDocument> => {
        if (!now) return { deleteOne: { filter: { _id: key } } };
        const document = storedDocument(name, now);
        if (!loaded) return { insertOne: { document } };
        const { _id, ...replacement } = document;
        return { replaceOne: { filter: { _id: key }, replacement } };
      });
    if (operations.length > 0) writes.set(name, operations);
  }
  return writes;
}

export async function writeDocuments(
  collections: GenerationCollections,
  writes: DocumentWrites,
  session: ClientSession,
): Promise<void> {
  for (const [name, operations] of writes) {
    // The collections of documents share a shape that their union hides.
    const collection = collections[name] as unknown as Collection<StoredDocument>;
    await collection.bulkWrite(operations, { session, ordered: false });
  }
}

/** All documents of a set as inserts under another set's id, in bounded steps. */
export function* insertsOf(
  documents: WorkingSet,
  set: string,
  into: string,
  documentsMax: number,
): Generator<DocumentWrites> {
  for (const name of COLLECTIONS) {
    const all = documents.all(name, set);
    for (let from = 0; from < all.length; from += documentsMax) {
      const operations = all.slice(from, from + documentsMax).map(document => ({
        insertOne: { document: storedDocument(name, { ...document, set: into }) },
      }));
      yield new Map([[name, operations]]);
    }
  }
}
