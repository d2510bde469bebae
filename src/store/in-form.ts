// Collections without the type of their documents.
import type { Collection, Document } from 'mongodb';

/** The database and name of a collection, whatever its documents. */
export type CollectionPlace = Pick<Collection, 'db' | 'collectionName'>;

/** Returns the same collection for documents of another type, such as the form in which they are written. */
export function inForm<T extends Document>({ db, collectionName }: CollectionPlace): Collection<T> {
  return db.collection<T>(collectionName);
}
