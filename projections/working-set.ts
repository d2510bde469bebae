// The documents that chunks of events work on: loaded once, changed in memory, written once per chunk.
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type SetDocuments,
  traitsOf,
} from './document-kinds.ts';
import type { EditableDocuments, PreviousValues } from './editable-documents.ts';
import { Entry, isIn, keyOf, Memory, type SetEntries } from './working-set-entries.ts';

/** A document as it was loaded and as it is now; `null` means that there is none. */
export interface DocumentChange<K extends DocumentKind = DocumentKind> {
  readonly kind: K;
  readonly set: string;
  readonly id: string;
  readonly key: string;
  /**
   * As it was loaded, except that edits in place may show in it: `before` has the previous values. Null is unknown for
   * a kind that is put unread.
   */
  readonly loaded: SetDocuments[K] | null;
  readonly now: SetDocuments[K] | null;
  /** What was edited in place, with the values before. */
  readonly before: PreviousValues;
}

/**
 * A working set contains loaded documents and the changes that events made to them. Reading a document that no event
 * declared throws: it is a programming error that would look like an unknown id. Kinds that are put unread need no
 * declaration.
 */
export interface WorkingSet extends EditableDocuments<SetDocuments> {
  /** Adds a document as it is stored, null where it is not. A document that is in memory already stays. */
  provide<K extends DocumentKind>(kind: K, key: string, document: SetDocuments[K] | null): void;
  /** Marks a set as new: nothing is stored for it, so nothing needs to be loaded. */
  provideNothing(set: string): void;
  /**
   * Marks a kind as complete from an id on, in the order of ids, by default from the first: every stored document of the
   * set is provided, and any other id does not exist.
   */
  provideAll(kind: DocumentKind, set: string, from?: string): void;
  /** Returns the number of documents in memory, without the rows: each belongs to a record of the last chunks. */
  size(): number;
  isProvided(kind: DocumentKind, set: string, id: string): boolean;
  isComplete(kind: DocumentKind, set: string): boolean;
  /** Returns the documents of a set that are in memory, as they are now. */
  all<K extends DocumentKind>(kind: K, set: string): SetDocuments[K][];
  /** Returns the documents that were put or edited and differ from what was loaded. */
  changes<K extends DocumentKind>(kind: K): DocumentChange<K>[];
  /** Forgets a whole set that is no longer part of the read model. */
  drop(set: string): void;
  /**
   * Makes every document as it is now the loaded one, once its changes are on their way to the store. Forgets rows
   * that were not touched since the last call, and documents beyond the bound of their kind; they are loaded again
   * when an event declares them.
   */
  markCommitted(): void;
  /** Makes every row as it is now the loaded one, and forgets nothing: other documents still have changes to store. */
  markRowsWritten(): void;
  /** Forgets the rows without a change; they are loaded again when an event declares them. */
  forgetRows(): void;
}

export function createWorkingSet(): WorkingSet {
  const memory = new Memory();
  return {
    provide(kind, key, document) {
      const slash = key.indexOf('/');
      const [set, id] = [key.slice(0, slash), key.slice(slash + 1)];
      const entries = memory.entriesOf(set);
      if (!entries.tables[kind].has(id)) memory.add(kind, entries, new Entry(set, id, document));
    },
    provideNothing(set) {
      for (const kind of DOCUMENT_KINDS) memory.entriesOf(set).complete.set(kind, '');
    },
    provideAll: (kind, set, from = '') => void memory.entriesOf(set).complete.set(kind, from),
    size() {
      let size = 0;
      for (const { tables } of memory.sets.values()) {
        for (const kind of DOCUMENT_KINDS) size += tables[kind].size;
        size -= tables.rows.size;
      }
      return size;
    },
    isProvided(kind, set, id) {
      const entries = memory.entriesOf(set);
      return entries.tables[kind].has(id) || isIn(entries, kind, id);
    },
    isComplete: (kind, set) => memory.entriesOf(set).complete.get(kind) === '',
    get: (kind, set, id) => memory.find(kind, set, id).now,
    put(kind, document) {
      memory.findToReplace(kind, document.set, document.id).now = document;
    },
    remove(kind, set, id) {
      memory.findToReplace(kind, set, id).now = null;
    },
    edit(kind, key, copy) {
      const entry = memory.find(kind, key.set, key.id);
      if (!entry.isCopy || !entry.now) entry.now = copy(entry.now, key);
      entry.isCopy = true;
      entry.isEdited = true;
      memory.touch(kind, entry);
      return entry;
    },
    all<K extends DocumentKind>(kind: K, set: string): SetDocuments[K][] {
      const found: SetDocuments[K][] = [];
      const entries = memory.sets.get(set);
      if (!entries) return found;
      for (const { now } of entries.tables[kind].values()) if (now) found.push(now);
      return found;
    },
    changes<K extends DocumentKind>(kind: K): DocumentChange<K>[] {
      const changed: DocumentChange<K>[] = [];
      for (const { set, id, loaded, now, before, isEdited } of memory.dirty[kind]) {
        if (loaded === now && !(isEdited && now)) continue;
        changed.push({ kind, set, id, key: keyOf(set, id), loaded, now, before });
      }
      return changed;
    },
    drop(set) {
      memory.drop(set);
      for (const kind of DOCUMENT_KINDS) dropChanges(memory, kind, set);
    },
    markCommitted: () => markCommitted(memory),
    markRowsWritten() {
      for (const entry of memory.dirty.rows) {
        entry.markStored();
        memory.touchedRows.add(entry);
      }
      memory.dirty.rows.clear();
    },
    forgetRows() {
      for (const entries of memory.sets.values()) forget('rows', entries, memory.dirty.rows);
      memory.touchedRows = new Set(memory.dirty.rows);
    },
  };
}

function dropChanges<K extends DocumentKind>({ dirty }: Memory, kind: K, set: string): void {
  for (const entry of dirty[kind]) if (entry.set === set) dirty[kind].delete(entry);
}

const BOUNDED = DOCUMENT_KINDS.map(kind => ({ kind, keptMax: traitsOf(kind).keptMax })).filter(
  ({ keptMax }) => keptMax < Number.POSITIVE_INFINITY,
);

function markCommitted(memory: Memory): void {
  const touched = new Set<Entry<unknown>>(memory.touchedRows);
  for (const kind of DOCUMENT_KINDS) {
    for (const entry of memory.dirty[kind]) {
      entry.markStored();
      touched.add(entry);
    }
    memory.dirty[kind].clear();
  }
  memory.touchedRows = new Set();
  for (const entries of memory.sets.values()) {
    for (const { kind, keptMax } of BOUNDED) {
      if (entries.tables[kind].size > keptMax) forget(kind, entries, touched);
    }
  }
}

function forget(
  kind: DocumentKind,
  { tables, complete }: SetEntries,
  kept: ReadonlySet<Entry<unknown>>,
): void {
  for (const [id, entry] of tables[kind]) if (!kept.has(entry)) tables[kind].delete(id);
  // Forgotten documents are still stored, so an unknown id may exist.
  complete.delete(kind);
}
