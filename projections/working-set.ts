// The documents that chunks of events work on: loaded once, changed in memory, written once a chunk.
import type { CollectionName, SetDocuments } from './documents.ts';
import {
  add,
  COLLECTIONS,
  Entry,
  entriesOf,
  find,
  keyOf,
  NOTHING,
  type SetEntries,
  type State,
  type Tracked,
  tablesOf,
  touch,
} from './working-set-entries.ts';

export { COLLECTIONS, keyOf, type Tracked };

/** What became of a loaded document; `null` is a document that is not there. */
export interface DocumentChange<C extends CollectionName = CollectionName> {
  readonly collection: C;
  readonly set: string;
  readonly id: string;
  readonly key: string;
  /** As it was loaded, but for places that were changed in it. */
  readonly loaded: SetDocuments[C] | null;
  readonly now: SetDocuments[C] | null;
  /** What stood before at the places that were changed in it, by path. */
  readonly before: ReadonlyMap<string, unknown>;
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
  isProvided(collection: CollectionName, set: string, id: string): boolean;
  isComplete(collection: CollectionName, set: string): boolean;
  get<C extends CollectionName>(collection: C, set: string, id: string): SetDocuments[C] | null;
  put<C extends CollectionName>(
    collection: C,
    set: string,
    id: string,
    document: SetDocuments[C] | null,
  ): void;
  /** A document to change in place: `copy` is called once, at the first edit, for what was loaded is not ours. */
  edit<C extends CollectionName>(
    collection: C,
    set: string,
    id: string,
    copy: (document: SetDocuments[C] | null) => SetDocuments[C],
  ): Tracked<C>;
  /** All documents of a set that are in memory, as they are now. */
  all<C extends CollectionName>(collection: C, set: string): SetDocuments[C][];
  /** Documents that were put or edited, and are not what was loaded. */
  changes<C extends CollectionName>(collection: C): DocumentChange<C>[];
  /** Forgets a whole set: it is no longer part of the read model. */
  drop(set: string): void;
  /**
   * Takes what is now for what is loaded, as the changes are on their way to the store, and goes on from there.
   * Rows that were not touched since the last time are forgotten, and loaded when they are needed again; so are
   * blocks of memos where they become many.
   * Answers how many documents are left.
   */
  settled(): number;
  /** Forgets the rows that no change is made to; they are loaded when they are needed again. */
  forgetRows(): void;
}

export function createWorkingSet(): WorkingSet {
  const state: State = {
    sets: new Map(),
    dirty: tablesOf(() => new Set()),
    touchedRows: new Set(),
  };
  return {
    provide(collection, key, document) {
      const slash = key.indexOf('/');
      const [set, id] = [key.slice(0, slash), key.slice(slash + 1)];
      const entries = entriesOf(state, set);
      if (!entries.tables[collection].has(id)) {
        add(state, collection, entries, new Entry(set, id, document));
      }
    },
    provideNothing(set) {
      for (const name of COLLECTIONS) entriesOf(state, set).complete.add(name);
    },
    provideAll: (collection, set) => void entriesOf(state, set).complete.add(collection),
    isProvided(collection, set, id) {
      const { tables, complete } = entriesOf(state, set);
      return tables[collection].has(id) || complete.has(collection);
    },
    isComplete: (collection, set) => entriesOf(state, set).complete.has(collection),
    get: (collection, set, id) => find(state, collection, set, id).now,
    put(collection, set, id, document) {
      const entry = find(state, collection, set, id);
      entry.now = document;
      entry.ours = false;
      touch(state, collection, entry);
    },
    edit(collection, set, id, copy) {
      const entry = find(state, collection, set, id);
      if (!entry.ours || !entry.now) entry.now = copy(entry.now);
      entry.ours = true;
      entry.edited = true;
      touch(state, collection, entry);
      return entry;
    },
    all<C extends CollectionName>(collection: C, set: string): SetDocuments[C][] {
      const found: SetDocuments[C][] = [];
      for (const { now } of state.sets.get(set)?.tables[collection].values() ?? []) {
        if (now) found.push(now as SetDocuments[C]);
      }
      return found;
    },
    changes<C extends CollectionName>(collection: C): DocumentChange<C>[] {
      const changed: DocumentChange<C>[] = [];
      for (const entry of state.dirty[collection] as Set<Entry<C>>) {
        const { set, id, loaded, now, before } = entry;
        if (loaded === now && !(entry.edited && now)) continue;
        changed.push({ collection, set, id, key: keyOf(set, id), loaded, now, before });
      }
      return changed;
    },
    drop(set) {
      state.sets.delete(set);
      for (const name of COLLECTIONS) {
        for (const entry of state.dirty[name])
          if (entry.set === set) state.dirty[name].delete(entry);
      }
    },
    settled: () => settled(state),
    forgetRows() {
      for (const entries of state.sets.values()) forget('rows', entries, state.dirty.rows);
      state.touchedRows = new Set(state.dirty.rows);
    },
  };
}

/** Kinds of which a set has ever more, and of which only the latest are needed again and again; more are not kept. */
const KEPT: readonly (readonly [CollectionName, number])[] = [
  ['rows', 0],
  ['memoBlocks', 8],
  ['accountDays', 16],
];

function settled(state: State): number {
  const touched = new Set<Entry<CollectionName>>(state.touchedRows);
  for (const name of COLLECTIONS) {
    for (const entry of state.dirty[name]) {
      entry.loaded = entry.now;
      entry.edited = false;
      entry.before = NOTHING;
      touched.add(entry);
    }
    state.dirty[name].clear();
  }
  state.touchedRows = new Set();
  let left = 0;
  for (const entries of state.sets.values()) {
    const { tables } = entries;
    for (const [name, count] of KEPT) {
      if (tables[name].size > count) forget(name, entries, touched);
    }
    for (const name of COLLECTIONS) left += tables[name].size;
  }
  return left;
}

function forget(
  name: CollectionName,
  { tables, complete }: SetEntries,
  but: ReadonlySet<Entry<CollectionName>>,
): void {
  for (const [id, entry] of tables[name]) if (!but.has(entry)) tables[name].delete(id);
  // What is forgotten is there all the same.
  complete.delete(name);
}
