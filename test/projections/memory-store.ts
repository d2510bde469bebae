// Applies chunks of events to documents in memory, and loads exactly the documents that the events declare: the work
// of the projector without a database.
import {
  monthSumsId,
  pageOf,
  pagesOf,
  type Things,
} from '../../projections/aggregates/month-sums.ts';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type SetDocuments,
} from '../../projections/document-kinds.ts';
import type { Head, Row } from '../../projections/documents.ts';
import { isSpaceEvent } from '../../projections/project.ts';
import {
  declareCategoryReads,
  declareReads,
  declareRowReads,
  type ReadCollector,
  type RowField,
} from '../../projections/reads.ts';
import { isReadyFrom } from '../../projections/reconcile.ts';
import { keyOf, type WorkingSet } from '../../projections/working-set.ts';
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
  load(store, fold.documents, deliveries);
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
  for (const [id, delivery] of fold.waiting) store.waiting.set(id, delivery);
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

function load(store: MemoryStore, documents: WorkingSet, deliveries: readonly Delivery[]): void {
  const get = <C extends DocumentKind>(name: C, key: string) =>
    (store.documents.get(`${name} ${key}`) ?? null) as SetDocuments[C] | null;
  const rows: Row[] = [];
  const fields: Record<RowField, (row: Row) => readonly (string | null)[]> = {
    account: row => [row.accountId],
    category: row => [row.categoryId],
    payee: row => [row.payeeId],
    transfer: row => [row.transferAccountId],
    labels: row => row.labels.map(({ id }) => id),
  };
  const sums: { set: string; date: string; things: Things }[] = [];
  /** Pages of things that the chunk may put into any row. */
  const pages = new Map<string, Set<number>>();
  const given = (set: string) => {
    const known = pages.get(set) ?? new Set();
    pages.set(set, known);
    return known;
  };
  const reader = (set: string): ReadCollector => ({
    document(name, id) {
      if (id === null || id === undefined) return;
      if (name === 'years') {
        provideYears(documents, documentsOf(store, 'years', set), { set, from: id });
        return;
      }
      const key = keyOf(set, id);
      const document = get(name, key);
      documents.provide(name, key, document);
      if (name === 'rows' && document) rows.push(document as Row);
    },
    rowsBy(field, id) {
      for (const row of documentsOf(store, 'rows', set)) {
        if (!fields[field](row).includes(id)) continue;
        documents.provide('rows', keyOf(set, row.id), row);
        rows.push(row);
      }
    },
    monthSums: (date, things) => void sums.push({ set, date, things }),
    replacements(things) {
      for (const page of pagesOf(documents, set, things)) given(set).add(page);
    },
    made: entry => void given(set).add(pageOf(entry)),
  });
  for (const { event, subject } of deliveries) {
    const set = store.heads.get(subject ?? '')?.set;
    if (!event || isSpaceEvent(event) || !set) continue;
    declareReads(event, reader(set));
    if (event.type !== 'category.moved' && event.type !== 'category.deleted') continue;
    const category = get('categories', keyOf(set, event.data.categoryId));
    if (category) declareCategoryReads(category, reader(set));
  }
  for (const row of rows) declareRowReads(row, reader(row.set));
  for (const { set, date, things } of sums) {
    for (const page of [...pagesOf(documents, set, things), ...given(set)]) {
      reader(set).document('monthSums', monthSumsId(date, page));
    }
  }
}
