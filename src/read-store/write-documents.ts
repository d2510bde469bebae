// Writes what a chunk changed: each touched document once, in the caller's transaction.
import type { ClientSession, Collection, Document } from 'mongodb';
import type { CollectionName } from '../../projections/documents.ts';
import {
  COLLECTIONS,
  type DocumentChange,
  type WorkingSet,
} from '../../projections/working-set.ts';
import type { GenerationCollections } from './collections.ts';
import { storedDocument, updateOf } from './document-codec.ts';
import { noWrites, type Writes, write } from './write-commands.ts';

export type DocumentWrites = ReadonlyMap<CollectionName, Writes>;

/** The writes that bring the store from what was loaded to what is now. */
export function documentWrites(documents: WorkingSet): DocumentWrites {
  const all = new Map<CollectionName, Writes>();
  for (const name of COLLECTIONS) {
    const changes = documents.changes(name);
    if (changes.length === 0) continue;
    const writes = noWrites();
    for (const change of changes) addWrite(writes, change);
    all.set(name, writes);
  }
  return all;
}

function addWrite({ inserts, updates, deletes }: Writes, change: DocumentChange): void {
  const { collection, key, loaded, now } = change;
  if (!now) {
    deletes.push(key);
  } else if (!loaded) {
    inserts.push(storedDocument(collection, now));
  } else {
    const u = updateOf(change);
    if (u) updates.push({ q: { _id: key }, u });
  }
}

export async function writeDocuments(
  collections: GenerationCollections,
  writes: DocumentWrites,
  session: ClientSession,
): Promise<void> {
  for (const [name, one] of writes) {
    // The collections of documents share a shape that their union hides.
    await write(collections[name] as unknown as Collection<Document>, one, session);
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
      const inserts = all
        .slice(from, from + documentsMax)
        .map(document => storedDocument(name, { ...document, set: into }));
      yield new Map([[name, { ...noWrites(), inserts }]]);
    }
  }
}
