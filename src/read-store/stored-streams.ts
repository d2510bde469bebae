// Whole streams as they are stored, for verification: heads and all documents of their sets, in one snapshot.
import { BSON, type Collection, type Db, type Document } from 'mongodb';
import type { CollectionName, Head, SetDocuments } from '../../projections/documents.ts';
import { COLLECTIONS } from '../../projections/working-set.ts';
import type { StoredCheckpoint } from './collections.ts';
import { documentOf, storedDocument } from './document-codec.ts';
import { headOf } from './heads.ts';
import { inSnapshot } from './snapshot.ts';

export interface StoredStreams {
  readonly heads: readonly Head[];
  readonly checkpoints: ReadonlyMap<number, StoredCheckpoint>;
  /** Documents by `collection set/id`. */
  readonly documents: ReadonlyMap<string, Document>;
}

/** Reading all of a large budget may take its time. */
const READ_MS_MAX = 120_000;

export async function readStoredStreams(
  db: Db,
  generation: string,
  ids: readonly string[],
): Promise<StoredStreams> {
  return await inSnapshot(db, generation, READ_MS_MAX, async ({ collections, options }) => {
    const heads = await collections.heads.find({ _id: { $in: [...ids] } }, options).toArray();
    const checkpoints = await collections.checkpoints.find({}, options).toArray();
    const sets = heads.flatMap(({ set }) => (set === null ? [] : [set]));
    const documents = new Map<string, Document>();
    for (const name of COLLECTIONS) {
      // The collections of documents share a shape that their union hides.
      const collection = collections[name] as unknown as Collection<Document & { _id: string }>;
      const found = collection.find({ set: { $in: sets } }, options);
      for await (const document of found) documents.set(`${name} ${document._id}`, document);
    }
    return {
      heads: heads.map(headOf),
      checkpoints: new Map(checkpoints.map(checkpoint => [checkpoint._id, checkpoint])),
      documents,
    };
  });
}

/** A folded document as it would read back from the store, under another set's id. */
export function asStored<C extends CollectionName>(
  name: C,
  set: string,
  document: SetDocuments[C],
): Document {
  return BSON.deserialize(BSON.serialize(storedDocument(name, { ...document, set })));
}

/** The documents of one kind and set, as the projections know them. */
export function storedOf<C extends CollectionName>(
  { documents }: StoredStreams,
  name: C,
  set: string,
): SetDocuments[C][] {
  const found: SetDocuments[C][] = [];
  for (const [key, document] of documents) {
    if (key.startsWith(`${name} ${set}/`)) found.push(documentOf(name, document));
  }
  return found;
}
