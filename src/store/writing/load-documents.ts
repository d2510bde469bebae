// Loads the documents that a chunk's events declare into its working set, with one query for each kind.
import { memoBlockOf } from '../../../projections/aggregates/memo-blocks.ts';
import {
  CATALOGUE_KINDS,
  type Catalogue,
  type DocumentKind,
} from '../../../projections/document-kinds.ts';
import type { Row, Tombstone } from '../../../projections/documents.ts';
import { declareReads } from '../../../projections/reads.ts';
import { createWanted, type WantedDocuments } from '../../../projections/wanted-documents.ts';
import type { WorkingSet } from '../../../projections/working-set.ts';
import { keyOf } from '../../../projections/working-set-entries.ts';
import type { BudgetEvent } from '../../../schemas/generated/events.ts';
import { documentsOf, type GenerationCollections } from '../collections.ts';
import { documentOf } from '../document-storage.ts';
import { inFilters } from '../heads.ts';
import { BY_PLACE, rowOf, type StoredRow } from '../row-codec.ts';
import { type Loading, provideYears } from './load-years.ts';

/** A budget's event, and the document set that it changes. */
export interface Addressed {
  readonly set: string;
  readonly event: BudgetEvent;
}

/** A chunk would change more rows than one transaction should. */
export class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError';
  /** Number of deliveries in the chunk before the first cascade: they can be applied without it. */
  readonly before: number;

  constructor(message: string, before = 0) {
    super(message);
    this.before = before;
  }
}

interface LoadLimits {
  /** Rows that cascades may find. */
  readonly rowsMax: number;
  /** Documents that the events may declare together, besides one for each: the row that an event adds. */
  readonly declaredMax: number;
}

/**
 * Loads the documents that events declare, from the first event on: at least those of one event. Rows come first, because
 * they declare the sums that include them. Returns the number of events whose documents are loaded.
 *
 * @throws TooManyRowsError when more than `rowsMax` rows would be loaded
 */
export async function loadDocuments(
  loading: Loading,
  all: readonly Addressed[],
  { rowsMax, declaredMax }: LoadLimits,
): Promise<number> {
  const wanted = createWanted(loading.documents);
  const events = declareFirst(loading, all, { wanted, declaredMax });
  const rows = await loadRows(loading, wanted, rowsMax);
  wanted.addChanged(rows);
  wanted.keys.delete('rows');
  await Promise.all([provideWanted(loading, wanted), provideYears(loading, wanted.years)]);
  await loadNamed(loading, wanted);
  return events.length;
}

/** Declares the documents of the first events, and returns these events. */
function declareFirst(
  { documents }: Loading,
  events: readonly Addressed[],
  { wanted, declaredMax }: { readonly wanted: WantedDocuments; readonly declaredMax: number },
): readonly Addressed[] {
  const provideNewBlock = newBlocksOf(documents);
  for (const [index, { set, event }] of events.entries()) {
    if (index > 0 && wanted.size > declaredMax + index) return events.slice(0, index);
    provideNewBlock(set, event);
    declareReads(event, wanted.in(set));
  }
  return events;
}

/** Loads the documents that one event names, without the rows that its cascade finds. */
export async function loadDeclared(loading: Loading, { set, event }: Addressed): Promise<void> {
  const wanted = createWanted(loading.documents);
  declareReads(event, { ...wanted.in(set), cascade() {} });
  await provideWanted(loading, wanted);
  await loadNamed(loading, wanted);
}

/** Loads the sums that include some rows of a set. */
export async function loadSums(loading: Loading, set: string, rows: readonly Row[]): Promise<void> {
  const wanted = createWanted(loading.documents);
  wanted.addSums(rows);
  await Promise.all([provideWanted(loading, wanted), provideYears(loading, new Map([[set, '']]))]);
  await loadNamed(loading, wanted);
}

/** Returns up to `rowsMax` rows of a set after a place, oldest first: neighbours share most of their sums. */
export async function readRowsAfter(
  { rows }: GenerationCollections,
  { set, after }: { readonly set: string; readonly after: number },
  rowsMax: number,
): Promise<Row[]> {
  const found = await rows
    .find({ set, place: { $gt: after } }, { hint: BY_PLACE })
    .sort({ place: 1 })
    .limit(rowsMax)
    .toArray();
  return found.map(rowOf);
}

/** Returns up to `tombstonesMax` tombstones of a set after an id, in the order of their ids. */
export async function readTombstonesAfter(
  { tombstones }: GenerationCollections,
  { set, after }: { readonly set: string; readonly after: string },
  tombstonesMax: number,
): Promise<Tombstone[]> {
  // The character `0` comes after `/`, which ends the set's id.
  const found = await tombstones
    .find({ _id: { $gt: keyOf(set, after), $lt: `${set}0` } })
    .sort({ _id: 1 })
    .limit(tombstonesMax)
    .toArray();
  return found.map(stored => documentOf('tombstones', stored));
}

/** Returns the documents of a set that events put, or that hold envelopes. */
export async function readCatalogue(
  collections: GenerationCollections,
  set: string,
): Promise<Catalogue> {
  const entries: [DocumentKind, unknown][] = [];
  for (const kind of CATALOGUE_KINDS) {
    const found = await documentsOf(collections, kind).find({ set }).toArray();
    const all = found.map(stored => documentOf(kind, stored));
    entries.push([kind, all.sort((a, b) => (a.id < b.id ? -1 : 1))]);
  }
  return Object.fromEntries(entries) as Catalogue;
}

/** Returns a function that provides the new memo block of an event: it is not stored yet, so it needs no query. */
function newBlocksOf(documents: WorkingSet): (set: string, event: BudgetEvent) => void {
  const reached = new Map<string, number>();
  return (set, { sequence }) => {
    const block = memoBlockOf(sequence);
    const last = reached.get(set) ?? memoBlockOf(sequence - 1);
    if (block > last) documents.provide('memoBlocks', keyOf(set, String(block)), null);
    reached.set(set, Math.max(block, last));
  };
}

async function loadRows(
  { collections: { rows }, documents }: Loading,
  wanted: WantedDocuments,
  rowsMax: number,
): Promise<Row[]> {
  const keys = [...(wanted.keys.get('rows') ?? [])];
  const filters = [...wanted.searches.values()].map(({ set, field, ids }) => ({
    set,
    [field]: { $in: [...ids] },
  }));
  const limit = rowsMax + 1;
  const [named, ...cascaded] = await Promise.all([
    keys.length > 0 ? rows.find({ _id: { $in: keys } }).toArray() : [],
    ...filters.map(filter => rows.find(filter, { limit, batchSize: limit }).toArray()),
  ]);
  const touched = new Set(cascaded.flat().map(({ _id }) => _id));
  if (touched.size > rowsMax) {
    throw new TooManyRowsError(`It would change more than ${rowsMax} rows`);
  }
  const stored = new Map<string, StoredRow>(
    [...named, ...cascaded.flat()].map(row => [row._id, row]),
  );
  for (const key of keys) if (!stored.has(key)) documents.provide('rows', key, null);
  return [...stored].map(([key, storedRow]) => {
    const row = rowOf(storedRow);
    documents.provide('rows', key, row);
    return row;
  });
}

// Where all is on first pages, which are declared at once, this needs no query.
async function loadNamed(loading: Loading, wanted: WantedDocuments): Promise<void> {
  wanted.keys.clear();
  wanted.addNamed();
  await provideWanted(loading, wanted);
}

async function provideWanted(loading: Loading, { keys }: WantedDocuments): Promise<void> {
  await Promise.all([...keys].map(([kind, wanted]) => provide(loading, kind, wanted)));
}

async function provide(
  { collections, documents }: Loading,
  kind: DocumentKind,
  wanted: ReadonlySet<string>,
): Promise<void> {
  if (wanted.size === 0) return;
  const keys = [...wanted];
  for (const some of inFilters(keys)) {
    const found = await documentsOf(collections, kind)
      .find({ _id: { $in: some } })
      .toArray();
    for (const stored of found) documents.provide(kind, stored._id, documentOf(kind, stored));
  }
  for (const key of keys) documents.provide(kind, key, null);
}
