// What is in memory of document sets: one entry a document, with what it was and what it is now.
import type { CollectionName, SetDocuments } from './documents.ts';

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
  'memoBlocks',
];

/** The key of a document: it is found by its set and its id within the set. */
export function keyOf(set: string, id: string): string {
  return `${set}/${id}`;
}

/** The same, free to be changed in place. */
export type Editable<T> = { -readonly [K in keyof T]: T[K] };

/** A document to change in place. */
export interface Tracked<C extends CollectionName> {
  readonly document: Editable<SetDocuments[C]>;
  /** Says what stood at a place of it (`months.2024-05`) before it is changed; the first word counts. */
  was(path: string, value: unknown): void;
}

export const NOTHING: ReadonlyMap<string, unknown> = new Map();

export class Entry<C extends CollectionName> implements Tracked<C> {
  readonly set: string;
  readonly id: string;
  loaded: SetDocuments[C] | null;
  now: SetDocuments[C] | null;
  /** `now` is a copy of our own, free to be changed in place. */
  ours = false;
  edited = false;
  before = NOTHING;

  constructor(set: string, id: string, loaded: SetDocuments[C] | null) {
    this.set = set;
    this.id = id;
    this.loaded = loaded;
    this.now = loaded;
  }

  get document(): Editable<SetDocuments[C]> {
    return this.now as Editable<SetDocuments[C]>;
  }

  was(path: string, value: unknown): void {
    // Of what is new nothing stood anywhere.
    if (this.loaded === null) return;
    if (this.before === NOTHING) this.before = new Map();
    if (!this.before.has(path)) (this.before as Map<string, unknown>).set(path, value);
  }
}

type Tables<T> = Record<CollectionName, T>;

/** What is in memory of one document set. */
export interface SetEntries {
  readonly tables: Tables<Map<string, Entry<CollectionName>>>;
  /** Kinds of which everything stored is in memory: others are not there. */
  readonly complete: Set<CollectionName>;
}

export interface State {
  readonly sets: Map<string, SetEntries>;
  /** Put or edited since it was last settled. */
  readonly dirty: Tables<Set<Entry<CollectionName>>>;
  touchedRows: Set<Entry<CollectionName>>;
}

export function tablesOf<T>(make: () => T): Tables<T> {
  return Object.fromEntries(COLLECTIONS.map(name => [name, make()])) as Tables<T>;
}

export function entriesOf({ sets }: State, set: string): SetEntries {
  let entries = sets.get(set);
  if (!entries) {
    entries = { tables: tablesOf(() => new Map()), complete: new Set() };
    sets.set(set, entries);
  }
  return entries;
}

export function add<C extends CollectionName>(
  state: State,
  collection: C,
  { tables }: SetEntries,
  entry: Entry<C>,
): Entry<C> {
  // Each collection has its own table; the record of tables cannot say so in its type.
  const general = entry as unknown as Entry<CollectionName>;
  tables[collection].set(entry.id, general);
  if (collection === 'rows') state.touchedRows.add(general);
  return entry;
}

export function find<C extends CollectionName>(
  state: State,
  collection: C,
  set: string,
  id: string,
): Entry<C> {
  const entries = entriesOf(state, set);
  const known = entries.tables[collection].get(id);
  if (known) return known as unknown as Entry<C>;
  if (entries.complete.has(collection)) {
    return add(state, collection, entries, new Entry<C>(set, id, null));
  }
  throw new Error(`Not declared by any event: ${collection} ${keyOf(set, id)}`);
}

export function touch<C extends CollectionName>(
  state: State,
  collection: C,
  entry: Entry<C>,
): void {
  const general = entry as unknown as Entry<CollectionName>;
  state.dirty[collection].add(general);
  if (collection === 'rows') state.touchedRows.add(general);
}
