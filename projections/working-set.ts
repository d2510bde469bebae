// The documents that a chunk of events works on: loaded once, changed in memory, written once.
import type { CollectionName, SetDocuments } from './documents.ts';

interface Entry<T> {
  readonly loaded: T | null;
  now: T | null;
  /** `now` is a copy of our own, free to be changed in place. */
  ours: boolean;
}

/** What became of a loaded document; `null` is a document that is not there. */
export interface DocumentChange<C extends CollectionName = CollectionName> {
  readonly collection: C;
  readonly key: string;
  readonly loaded: SetDocuments[C] | null;
  readonly now: SetDocuments[C] | null;
}

/** The collections of a document set. */
export const COLLECTIONS: readonly CollectionName[] = [
  'accounts',
  'groups',
  'categories',
  'payees',
  'labels',
  'rows',
  'accountMonths',
  'accountDays',
  'categoryMonths',
  'years',
];

/** The key of a document: it is found by its set and its id within the set. */
export function keyOf(set: string, id: string): string {
  return `${set}/${id}`;
}

/**
 * A working set holds what was loaded and what the events made of it. Reading a document that was not
 * declared and loaded is a programming error and throws: silence would look like an unknown id.
 */
export interface WorkingSet {
  /** Takes a document as the store has it; the first one given counts. */
  provide<C extends CollectionName>(
    collection: C,
    key: string,
    document: SetDocuments[C] | null,
  ): void;
  /** Says that nothing is stored for this set, so that nothing needs to be loaded for it. */
  provideNothing(set: string): void;
  /** Says that all documents of this kind that the set has are provided: others are not there. */
  provideAll(collection: CollectionName, set: string): void;
  isProvided(collection: CollectionName, key: string): boolean;
  get<C extends CollectionName>(collection: C, set: string, id: string): SetDocuments[C] | null;
  put<C extends CollectionName>(
    collection: C,
    set: string,
    id: string,
    document: SetDocuments[C] | null,
  ): void;
  /** A document to change in place: `copy` is called once, at the first edit of a chunk. */
  edit<C extends CollectionName>(
    collection: C,
    set: string,
    id: string,
    copy: (document: SetDocuments[C] | null) => SetDocuments[C],
  ): SetDocuments[C];
  /** All documents of a set that are in memory, as they are now. */
  all<C extends CollectionName>(collection: C, set: string): SetDocuments[C][];
  /** Documents that differ from what was loaded, by identity. */
  changes<C extends CollectionName>(collection: C): DocumentChange<C>[];
  /** Forgets a whole set: it is no longer part of the read model. */
  drop(set: string): void;
}

export function createWorkingSet(): WorkingSet {
  const entries = new Map<CollectionName, Map<string, Entry<SetDocuments[CollectionName]>>>(
    COLLECTIONS.map(name => [name, new Map()]),
  );
  const bySet = new Map<string, Map<CollectionName, Set<string>>>();
  const empty = new Set<string>();
  const complete = new Set<string>();

  function table<C extends CollectionName>(collection: C): Map<string, Entry<SetDocuments[C]>> {
    // Each collection has its own table; the map of tables cannot say so in its type.
    return entries.get(collection) as unknown as Map<string, Entry<SetDocuments[C]>>;
  }

  function remember(collection: CollectionName, set: string, key: string): void {
    const tables = bySet.get(set) ?? new Map<CollectionName, Set<string>>();
    const keys = tables.get(collection) ?? new Set();
    bySet.set(set, tables.set(collection, keys.add(key)));
  }

  function isComplete(collection: CollectionName, set: string): boolean {
    return empty.has(set) || complete.has(keyOf(set, collection));
  }

  function entry<C extends CollectionName>(
    collection: C,
    set: string,
    key: string,
  ): Entry<SetDocuments[C]> {
    const found = table(collection).get(key);
    if (found) return found;
    if (!isComplete(collection, set))
      throw new Error(`Not declared by any event: ${collection} ${key}`);
    const absent: Entry<SetDocuments[C]> = { loaded: null, now: null, ours: false };
    table(collection).set(key, absent);
    remember(collection, set, key);
    return absent;
  }

  return {
    provide(collection, key, document) {
      const known = table(collection);
      if (known.has(key)) return;
      known.set(key, { loaded: document, now: document, ours: false });
      remember(collection, key.slice(0, key.indexOf('/')), key);
    },
    provideNothing: set => void empty.add(set),
    provideAll: (collection, set) => void complete.add(keyOf(set, collection)),
    isProvided: (collection, key) =>
      table(collection).has(key) || isComplete(collection, key.slice(0, key.indexOf('/'))),
    get: (collection, set, id) => entry(collection, set, keyOf(set, id)).now,
    put(collection, set, id, document) {
      const found = entry(collection, set, keyOf(set, id));
      found.now = document;
      found.ours = false;
    },
    edit(collection, set, id, copy) {
      const found = entry(collection, set, keyOf(set, id));
      if (found.ours && found.now) return found.now;
      found.now = copy(found.now);
      found.ours = true;
      return found.now;
    },
    all<C extends CollectionName>(collection: C, set: string): SetDocuments[C][] {
      const found: SetDocuments[C][] = [];
      for (const key of bySet.get(set)?.get(collection) ?? []) {
        const now = table(collection).get(key)?.now;
        if (now) found.push(now);
      }
      return found;
    },
    changes<C extends CollectionName>(collection: C): DocumentChange<C>[] {
      const changed: DocumentChange<C>[] = [];
      for (const [key, { loaded, now }] of table(collection)) {
        if (loaded !== now) changed.push({ collection, key, loaded, now });
      }
      return changed;
    },
    drop(set) {
      for (const [collection, keys] of bySet.get(set) ?? []) {
        for (const key of keys) entries.get(collection)?.delete(key);
      }
      bySet.delete(set);
    },
  };
}
