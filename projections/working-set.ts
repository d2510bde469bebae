// The documents that a chunk of events works on: loaded once, changed in memory, written once.
import type { CollectionName, SetDocuments } from './documents.ts';

interface Entry<T> {
  readonly set: string;
  readonly id: string;
  loaded: T | null;
  now: T | null;
  /** `now` is a copy of our own, free to be changed in place. */
  ours: boolean;
}

type AnyEntry = Entry<SetDocuments[CollectionName]>;
type Tables = Record<CollectionName, Map<string, AnyEntry>>;

/** What is in memory of one document set. */
interface SetEntries {
  readonly tables: Tables;
  /** Kinds of which everything stored is in memory: others are not there. */
  readonly complete: Set<CollectionName>;
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
  isComplete(collection: CollectionName, set: string): boolean;
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
  /**
   * Takes what is now for what is loaded, as the changes are on their way to the store, and goes on from there.
   * Rows that were not touched since the last time are forgotten, and loaded when they are needed again.
   * Answers how many documents are left.
   */
  settled(): number;
}

export function createWorkingSet(): WorkingSet {
  const sets = new Map<string, SetEntries>();
  const dirty = tablesOf(() => new Set<AnyEntry>());
  let touchedRows = new Set<AnyEntry>();

  function entriesOf(set: string): SetEntries {
    let entries = sets.get(set);
    if (!entries) {
      entries = { tables: tablesOf(() => new Map()), complete: new Set() };
      sets.set(set, entries);
    }
    return entries;
  }

  function add<C extends CollectionName>(
    collection: C,
    { tables }: SetEntries,
    set: string,
    id: string,
    loaded: SetDocuments[C] | null,
  ): Entry<SetDocuments[C]> {
    const entry = { set, id, loaded, now: loaded, ours: false };
    tables[collection].set(id, entry);
    if (collection === 'rows') touchedRows.add(entry);
    return entry;
  }

  function find<C extends CollectionName>(
    collection: C,
    set: string,
    id: string,
  ): Entry<SetDocuments[C]> {
    const entries = entriesOf(set);
    const known = entries.tables[collection].get(id);
    // Each collection has its own table; the record of tables cannot say so in its type.
    if (known) return known as Entry<SetDocuments[C]>;
    if (entries.complete.has(collection)) return add(collection, entries, set, id, null);
    throw new Error(`Not declared by any event: ${collection} ${keyOf(set, id)}`);
  }

  function change<C extends CollectionName>(
    collection: C,
    entry: Entry<SetDocuments[C]>,
    now: SetDocuments[C] | null,
    ours: boolean,
  ): void {
    entry.now = now;
    entry.ours = ours;
    dirty[collection].add(entry);
    if (collection === 'rows') touchedRows.add(entry);
  }

  return {
    provide(collection, key, document) {
      const [set, id] = partsOf(key);
      const entries = entriesOf(set);
      if (!entries.tables[collection].has(id)) add(collection, entries, set, id, document);
    },
    provideNothing(set) {
      for (const name of COLLECTIONS) entriesOf(set).complete.add(name);
    },
    provideAll: (collection, set) => void entriesOf(set).complete.add(collection),
    isProvided(collection, key) {
      const [set, id] = partsOf(key);
      const { tables, complete } = entriesOf(set);
      return tables[collection].has(id) || complete.has(collection);
    },
    isComplete: (collection, set) => entriesOf(set).complete.has(collection),
    get: (collection, set, id) => find(collection, set, id).now,
    put(collection, set, id, document) {
      change(collection, find(collection, set, id), document, false);
    },
    edit(collection, set, id, copy) {
      const found = find(collection, set, id);
      if (found.ours && found.now) return found.now;
      const copied = copy(found.now);
      change(collection, found, copied, true);
      return copied;
    },
    all<C extends CollectionName>(collection: C, set: string): SetDocuments[C][] {
      const found: SetDocuments[C][] = [];
      for (const { now } of sets.get(set)?.tables[collection].values() ?? []) {
        if (now) found.push(now as SetDocuments[C]);
      }
      return found;
    },
    changes<C extends CollectionName>(collection: C): DocumentChange<C>[] {
      const changed: DocumentChange<C>[] = [];
      for (const { set, id, loaded, now } of dirty[collection] as Set<Entry<SetDocuments[C]>>) {
        if (loaded !== now) changed.push({ collection, key: keyOf(set, id), loaded, now });
      }
      return changed;
    },
    drop(set) {
      sets.delete(set);
      for (const name of COLLECTIONS) {
        for (const entry of dirty[name]) if (entry.set === set) dirty[name].delete(entry);
      }
    },
    settled() {
      for (const name of COLLECTIONS) {
        for (const entry of dirty[name]) {
          entry.loaded = entry.now;
          entry.ours = false;
        }
        dirty[name].clear();
      }
      let left = 0;
      for (const { tables, complete } of sets.values()) {
        for (const [id, entry] of tables.rows) if (!touchedRows.has(entry)) tables.rows.delete(id);
        // Rows that are forgotten are there all the same.
        complete.delete('rows');
        for (const name of COLLECTIONS) left += tables[name].size;
      }
      touchedRows = new Set();
      return left;
    },
  };
}

function tablesOf<T>(make: () => T): Record<CollectionName, T> {
  return Object.fromEntries(COLLECTIONS.map(name => [name, make()])) as Record<CollectionName, T>;
}

function partsOf(key: string): [set: string, id: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}
