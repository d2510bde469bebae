// Writes the documents that a chunk changed, each of them once, in the caller's transaction.
import type { ClientSession, Document } from 'mongodb';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  isPutUnread,
  type SetDocuments,
} from '../../../projections/document-kinds.ts';
import type { Tombstone } from '../../../projections/documents.ts';
import type { DocumentChange, WorkingSet } from '../../../projections/working-set.ts';
import type { GenerationCollections } from '../collections.ts';
import type { DocumentStorage } from '../document-codec.ts';
import { DOCUMENT_STORAGE, storedDocument } from '../document-storage.ts';
import { noWrites, type Writes, write } from '../write-commands.ts';

export type DocumentWrites = ReadonlyMap<DocumentKind, Writes>;

/** Returns the writes that turn the loaded documents into the current ones. */
export function documentWrites(documents: WorkingSet): DocumentWrites {
  const all = new Map<DocumentKind, Writes>();
  for (const kind of DOCUMENT_KINDS) {
    const writes = writesOf(documents, kind);
    if (writes) all.set(kind, writes);
  }
  return all;
}

/** Returns the writes of the rows alone. */
export function rowWrites(documents: WorkingSet): DocumentWrites {
  const writes = writesOf(documents, 'rows');
  return writes ? new Map([['rows', writes]]) : new Map();
}

function writesOf<K extends DocumentKind>(documents: WorkingSet, kind: K): Writes | null {
  const changes = documents.changes(kind);
  if (changes.length === 0) return null;
  const storage: DocumentStorage<SetDocuments[K]> = DOCUMENT_STORAGE[kind];
  const unsent: Unsent<SetDocuments[K]> = { added: [], updates: [], deletes: [] };
  for (const change of changes) addWrite(unsent, storage, change);
  const { added, updates, deletes } = unsent;
  // A row is replaced, never changed in place. The next chunk may change others before they are sent.
  const isReplaced = kind === 'rows';
  const inserts = isReplaced ? encodedLater(added, storage.encode) : added.map(storage.encode);
  return { inserts, updates, deletes };
}

function encodedLater<D>(
  documents: readonly D[],
  encode: (document: D) => Document,
): Iterable<Document> {
  return {
    *[Symbol.iterator]() {
      for (const document of documents) yield encode(document);
    },
  };
}

interface Unsent<D> extends Pick<Writes, 'updates' | 'deletes'> {
  /** Documents to insert, not encoded. */
  readonly added: D[];
}

function addWrite<K extends DocumentKind>(
  { added, updates, deletes }: Unsent<SetDocuments[K]>,
  storage: DocumentStorage<SetDocuments[K]>,
  { kind, key, loaded, now, before }: DocumentChange<K>,
): void {
  if (!now) {
    deletes.push(key);
  } else if (!loaded && isPutUnread(kind)) {
    updates.push({ q: { _id: key }, u: storage.encode(now), upsert: true });
  } else if (!loaded) {
    added.push(now);
  } else {
    const u = storage.update(now, before);
    if (u) updates.push({ q: { _id: key }, u });
  }
}

export async function writeDocuments(
  collections: GenerationCollections,
  writes: DocumentWrites,
  session: ClientSession,
): Promise<void> {
  for (const [kind, ofKind] of writes) await write(collections[kind], ofKind, session);
}

/** Returns inserts of tombstones into another set. One that is there already stays, because it is newer. */
export function tombstoneCopies(tombstones: readonly Tombstone[], set: string): DocumentWrites {
  const updates = tombstones.map(tombstone => {
    const { _id, ...$setOnInsert } = storedDocument('tombstones', { ...tombstone, set });
    return { q: { _id }, u: { $setOnInsert }, upsert: true } as const;
  });
  return new Map([['tombstones', { ...noWrites(), updates }]]);
}

/** Returns functions, one for each part of a set, that make writes which replace what is there. */
export function partsOfSet(
  documents: WorkingSet,
  set: string,
  documentsMax: number,
): (() => DocumentWrites)[] {
  return DOCUMENT_KINDS.flatMap(kind => {
    const all = documents.all(kind, set);
    const count = Math.ceil(all.length / documentsMax);
    return Array.from({ length: count }, (_, part) => () => {
      const some = all.slice(part * documentsMax, (part + 1) * documentsMax);
      const updates = some.map(document => {
        const u = storedDocument(kind, document);
        return { q: { _id: u._id }, u, upsert: true } as const;
      });
      return new Map([[kind, { ...noWrites(), updates }]]);
    });
  });
}

/** Yields inserts of every document of a set under another set's id, at most `documentsMax` at a time. */
export function* insertsOf(
  documents: WorkingSet,
  { set, into }: { readonly set: string; readonly into: string },
  documentsMax: number,
): Generator<DocumentWrites> {
  for (const kind of DOCUMENT_KINDS) {
    const all = documents.all(kind, set);
    for (let from = 0; from < all.length; from += documentsMax) {
      const inserts = all
        .slice(from, from + documentsMax)
        .map(document => storedDocument(kind, { ...document, set: into }));
      yield new Map([[kind, { ...noWrites(), inserts }]]);
    }
  }
}
