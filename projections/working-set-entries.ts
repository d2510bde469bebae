// The documents of a working set: one entry for each, with the document as it was loaded and as it is now.
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  isPutUnread,
  type SetDocuments,
} from './document-kinds.ts';
import type { Editable, PreviousValues, Tracked } from './editable-documents.ts';

/** Returns the key of a document: its set, and its id within the set. */
export function keyOf(set: string, id: string): string {
  return `${set}/${id}`;
}

const NO_PREVIOUS_VALUES: PreviousValues = new Map();

/** A class that sets every field at once, so that V8 keeps one shape for all entries. */
export class Entry<D> implements Tracked<D> {
  readonly set: string;
  readonly id: string;
  loaded: D | null;
  now: D | null;
  /** `now` is a copy that this working set made, so it may be changed in place. */
  isCopy = false;
  isEdited = false;
  /** It is among those that were put or edited since the last commit. */
  isDirty = false;
  before = NO_PREVIOUS_VALUES;

  constructor(set: string, id: string, loaded: D | null) {
    this.set = set;
    this.id = id;
    this.loaded = loaded;
    this.now = loaded;
  }

  get document(): Editable<D> {
    return this.now as Editable<D>;
  }

  was(record: string, key: string, value: unknown): void {
    // A new document has no previous values.
    if (this.loaded === null) return;
    if (this.before === NO_PREVIOUS_VALUES) this.before = new Map();
    const before = this.before as Map<string, Map<string, unknown>>;
    const ofRecord = before.get(record);
    if (!ofRecord) before.set(record, new Map([[key, value]]));
    else if (!ofRecord.has(key)) ofRecord.set(key, value);
  }

  /** Makes the document as it is now the loaded one. */
  markStored(): void {
    this.loaded = this.now;
    this.isEdited = false;
    this.isDirty = false;
    this.before = NO_PREVIOUS_VALUES;
  }
}

type EntryOf<K extends DocumentKind> = Entry<SetDocuments[K]>;

/** The documents of one set that are in memory. */
export interface SetEntries {
  readonly set: string;
  readonly tables: { readonly [K in DocumentKind]: Map<string, EntryOf<K>> };
  /** The kinds whose stored documents are all in memory, from an id on: any other id from there on does not exist. */
  readonly complete: Map<DocumentKind, string>;
}

/** Returns whether a document is in memory if it exists. */
export function isIn({ complete }: SetEntries, kind: DocumentKind, id: string): boolean {
  const from = complete.get(kind);
  return from !== undefined && id >= from;
}

/** Returns a record with a value for each kind. */
function byKind<T>(make: () => T): Record<DocumentKind, T> {
  return Object.fromEntries(DOCUMENT_KINDS.map(kind => [kind, make()])) as Record<DocumentKind, T>;
}

/** The contents of a working set. */
export class Memory {
  readonly sets = new Map<string, SetEntries>();
  private last: SetEntries | null = null;
  /** Put or edited since the last commit. */
  readonly dirty: { readonly [K in DocumentKind]: Set<EntryOf<K>> } = byKind(
    () => new Set<never>(),
  );
  /** Rows that were loaded, put or edited since the last commit. */
  touchedRows = new Set<Entry<unknown>>();

  entriesOf(set: string): SetEntries {
    // An event asks for one set many times.
    if (this.last?.set === set) return this.last;
    let entries = this.sets.get(set);
    if (!entries) {
      entries = { set, tables: byKind(() => new Map<string, never>()), complete: new Map() };
      this.sets.set(set, entries);
    }
    this.last = entries;
    return entries;
  }

  /** Forgets a set with all that it has. */
  drop(set: string): void {
    this.sets.delete(set);
    this.last = null;
  }

  add<K extends DocumentKind>(kind: K, { tables }: SetEntries, entry: EntryOf<K>): EntryOf<K> {
    tables[kind].set(entry.id, entry);
    if (kind === 'rows') this.touchedRows.add(entry);
    return entry;
  }

  /** @throws Error when no event declared the document, so that nobody loaded it */
  find<K extends DocumentKind>(kind: K, set: string, id: string): EntryOf<K> {
    const entries = this.entriesOf(set);
    const known = entries.tables[kind].get(id);
    if (known) return known;
    if (!isIn(entries, kind, id)) {
      throw new Error(`Not declared by any event: ${kind} ${keyOf(set, id)}`);
    }
    return this.add(kind, entries, new Entry<SetDocuments[K]>(set, id, null));
  }

  /** Returns the entry of a document that no event declares: a new one is as if nothing were stored. */
  findUnread<K extends DocumentKind>(kind: K, set: string, id: string): EntryOf<K> {
    const entries = this.entriesOf(set);
    const known = entries.tables[kind].get(id);
    return known ?? this.add(kind, entries, new Entry<SetDocuments[K]>(set, id, null));
  }

  /** Returns an entry whose document is about to be replaced. */
  findToReplace<K extends DocumentKind>(kind: K, set: string, id: string): EntryOf<K> {
    const entry = isPutUnread(kind) ? this.findUnread(kind, set, id) : this.find(kind, set, id);
    entry.isCopy = false;
    this.touch(kind, entry);
    return entry;
  }

  touch<K extends DocumentKind>(kind: K, entry: EntryOf<K>): void {
    if (entry.isDirty) return;
    entry.isDirty = true;
    this.dirty[kind].add(entry);
    if (kind === 'rows') this.touchedRows.add(entry);
  }
}
