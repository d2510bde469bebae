// Applies chunks of events to documents in memory, and loads exactly the documents that the events declare: the work
// of the projector without a database.
import { finds } from '../../projections/cascades.ts';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type SetDocuments,
} from '../../projections/document-kinds.ts';
import type { Head, Row } from '../../projections/documents.ts';
import { isSpaceEvent } from '../../projections/project.ts';
import { declareReads } from '../../projections/reads.ts';
import { isReadyFrom } from '../../projections/reconcile.ts';
import { createWanted, type WantedDocuments } from '../../projections/wanted-documents.ts';
import type { WorkingSet } from '../../projections/working-set.ts';
import { keyOf } from '../../projections/working-set-entries.ts';
import { type Delivery, deliveryOf } from '../../src/projector/fold/delivery.ts';
import { createFold, deliver, reconcileFold } from '../../src/projector/fold/fold.ts';
import { deepFreeze, sortKeys } from './plain.ts';

export interface MemoryStore {
  readonly heads: Map<string, Head>;
  readonly documents: Map<string, SetDocuments[DocumentKind]>;
  readonly waiting: Map<string, Delivery>;
}

export function createMemoryStore(): MemoryStore {
  return { heads: new Map(), documents: new Map(), waiting: new Map() };
}

/** Applies one chunk; the offset of an event is its index in the whole history. */
export function applyToMemory(
  store: MemoryStore,
  events: readonly object[],
  firstOffset: number,
): void {
  const deliveries = events.map((event, index) =>
    deliveryOf({
      partition: 0,
      offset: firstOffset + index,
      key: (event as { subject: string }).subject,
      value: JSON.stringify(event),
    }),
  );
  const fold = createFold();
  for (const { subject } of deliveries) {
    const head = store.heads.get(subject ?? '');
    if (head) fold.heads.set(head.id, head);
  }
  const wanted = createWanted(fold.documents);
  for (const { event, subject } of deliveries) {
    const set = store.heads.get(subject ?? '')?.set;
    if (event && !isSpaceEvent(event) && set) declareReads(event, wanted.in(set));
  }
  loadWanted(store, fold.documents, wanted);
  const context = {
    isSkipped: () => false,
    stored: new Set(store.waiting.keys()),
    broken: new Map(),
  };
  for (const delivery of deliveries) deliver(fold, delivery, context);
  reconcileFold(fold);
  for (const [id, head] of fold.heads) store.heads.set(id, deepFreeze(head));
  for (const name of DOCUMENT_KINDS) {
    for (const { key, now } of fold.documents.changes(name)) {
      if (now) store.documents.set(`${name} ${key}`, deepFreeze(sortKeys(now)));
      else store.documents.delete(`${name} ${key}`);
    }
  }
  for (const set of fold.swept) {
    for (const [key, { set: of }] of store.documents) if (of === set) store.documents.delete(key);
  }
  for (const id of fold.erased) {
    for (const [key, { subject }] of store.waiting) if (subject === id) store.waiting.delete(key);
  }
  for (const [id, delivery] of fold.queued) store.waiting.set(id, delivery);
}

/** Returns the documents of one kind in a set. */
export function documentsOf<C extends DocumentKind>(
  store: MemoryStore,
  name: C,
  set: string,
): SetDocuments[C][] {
  const found: SetDocuments[C][] = [];
  for (const [key, document] of store.documents) {
    if (key.startsWith(`${name} ${set}/`)) found.push(document as SetDocuments[C]);
  }
  return found;
}

/** Provides no more years than a chunk needs: those from one on, and the last one with rows before it. */
export function provideYears(
  documents: WorkingSet,
  years: readonly SetDocuments['years'][],
  { set, from }: { readonly set: string; readonly from: string },
): void {
  if (isReadyFrom(documents, set, from)) return;
  const ids = years.filter(({ id, count }) => id < from && count > 0).map(({ id }) => id);
  const first = ids.sort().at(-1) ?? '';
  for (const year of years) {
    if (year.id >= first) documents.provide('years', keyOf(set, year.id), year);
  }
  documents.provideAll('years', set, first);
}

/** Loads what events have declared. */
export function loadWanted(
  store: MemoryStore,
  documents: WorkingSet,
  wanted: WantedDocuments,
): void {
  const provideWanted = () => {
    for (const [kind, keys] of wanted.keys) {
      for (const key of keys) {
        documents.provide(kind, key, store.documents.get(`${kind} ${key}`) ?? null);
      }
    }
    wanted.keys.clear();
  };
  const rows = [...searched(store, wanted)];
  for (const row of rows) documents.provide('rows', keyOf(row.set, row.id), row);
  for (const key of wanted.keys.get('rows') ?? []) {
    const row = store.documents.get(`rows ${key}`);
    if (row) rows.push(row as Row);
  }
  wanted.addChanged(rows);
  provideWanted();
  for (const [set, from] of wanted.years) {
    provideYears(documents, documentsOf(store, 'years', set), { set, from });
  }
  wanted.addNamed();
  provideWanted();
}

/** Returns the rows that cascades find. */
function* searched(store: MemoryStore, { searches }: WantedDocuments): Iterable<Row> {
  for (const { set, field, ids } of searches.values()) {
    for (const row of documentsOf(store, 'rows', set)) {
      if ([...ids].some(id => finds({ by: field, id }, row))) yield row;
    }
  }
}
