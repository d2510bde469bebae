// Collections without the type of their documents.
import type { Collection, Document } from 'mongodb';

/** What a collection is found by, whatever its documents. */
export type CollectionPlace = Pick<Collection, 'db' | 'collectionName'>;

/** Returns the same collection for documents in another form: as they are written, or of any kind. */
export function inForm<T extends Document>({ db, collectionName }: CollectionPlace): Collection<T> {
  return db.collection<T>(collectionName);
}
