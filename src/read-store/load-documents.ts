// Loads what a chunk of events declared, once for each collection, into its working set.
import { memoBlockOf } from '../../projections/aggregates/memo-blocks.ts';
import type { CollectionName, Row, SetDocuments } from '../../projections/documents.ts';
import {
  declareCategoryReads,
  declareReads,
  declareRowReads,
  type Reader,
  type RowField,
} from '../../projections/reads.ts';
import { keyOf, type WorkingSet } from '../../projections/working-set.ts';
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { BY_PLACE, type GenerationCollections, type StoredRow } from './collections.ts';
import { documentOf } from './document-codec.ts';
import { rowOf } from './row-codec.ts';

/** A budget's event and the document set that it will be folded into. */
export interface Addressed {
  readonly set: string;
  readonly event: BudgetEvent;
}

/** More documents than one transaction should touch. */
export class TooManyDocumentsError extends Error {
  override readonly name = 'TooManyDocumentsError';
  /** Deliveries of the chunk before the first one that changes rows which it does not name. */
  readonly before: number;

  constructor(message: string, before = 0) {
    super(message);
    this.before = before;
  }
}

type Wanted = Map<CollectionName, Set<string>>;
type Cascades = Map<string, { set: string; field: RowField; ids: Set<string> }>;

/**
 * Rows come first, because what they are part of is declared by them.
 *
 * @throws TooManyDocumentsError when more than `documentsMax` rows would be loaded
 */
export async function loadDocuments(
  collections: GenerationCollections,
  documents: WorkingSet,
  events: readonly Addressed[],
  documentsMax: number,
): Promise<void> {
  const wanted: Wanted = new Map();
  const cascades: Cascades = new Map();
  provideNewBlocks(documents, events);
  for (const { set, event } of events)
    declareReads(event, reader(documents, set, wanted, cascades));
  const rows = await loadRows(collections, documents, wanted, cascades, documentsMax);
  for (const row of rows) declareRowReads(row, reader(documents, row.set, wanted, cascades));
  wanted.delete('rows');
  await Promise.all([
    ...[...wanted].map(([name, keys]) => provide(collections, documents, name, keys)),
    provideYears(collections, documents, new Set(events.map(({ set }) => set))),
  ]);
  await loadGroups(collections, documents, events);
}

/** What one event names, without the rows that it is about. */
export async function loadDeclared(
  collections: GenerationCollections,
  documents: WorkingSet,
  { set, event }: Addressed,
): Promise<void> {
  const wanted: Wanted = new Map();
  declareReads(event, { ...reader(documents, set, wanted, new Map()), rowsBy() {} });
  await Promise.all([...wanted].map(([name, keys]) => provide(collections, documents, name, keys)));
  await loadGroups(collections, documents, [{ set, event }]);
}

/** The sums of a set that rows are part of, and its years. */
export async function loadSums(
  collections: GenerationCollections,
  documents: WorkingSet,
  set: string,
  rows: readonly Row[],
): Promise<void> {
  const wanted: Wanted = new Map();
  for (const row of rows) declareRowReads(row, reader(documents, set, wanted, new Map()));
  await Promise.all([
    ...[...wanted].map(([name, keys]) => provide(collections, documents, name, keys)),
    provideYears(collections, documents, new Set([set])),
  ]);
}

/** Rows of a set from the oldest on, after a place: rows next to each other share most of their sums. */
export async function readRowsAfter(
  { rows }: GenerationCollections,
  set: string,
  after: number,
  rowsMax: number,
): Promise<Row[]> {
  const found = await rows
    .find({ set, place: { $gt: after } }, { hint: BY_PLACE })
    .sort({ place: 1 })
    .limit(rowsMax)
    .toArray();
  return found.map(rowOf);
}

/** Every document of a set that is not made from rows alone. */
export async function readCatalogue(collections: GenerationCollections, set: string) {
  const all = async <C extends CollectionName>(name: C): Promise<SetDocuments[C][]> => {
    const found = await collectionOf(collections, name).find({ set }).toArray();
    return found.map(stored => documentOf(name, stored));
  };
  return {
    accounts: await all('accounts'),
    groups: await all('groups'),
    categories: await all('categories'),
    payees: await all('payees'),
    labels: await all('labels'),
    categoryMonths: await all('categoryMonths'),
    years: await all('years'),
  };
}

function reader(documents: WorkingSet, set: string, wanted: Wanted, cascades: Cascades): Reader {
  const self: Reader = {
    document(collection, id) {
      if (id === null || id === undefined) return;
      if (documents.isProvided(collection, set, id)) {
        // Of what a row in memory is part of, something may be forgotten.
        const row = collection === 'rows' ? documents.get('rows', set, id) : null;
        if (row) declareRowReads(row, self);
        return;
      }
      const keys = wanted.get(collection);
      if (keys) keys.add(keyOf(set, id));
      else wanted.set(collection, new Set([keyOf(set, id)]));
    },
    rowsBy(field, id) {
      const name = `${set}/${field}`;
      const cascade = cascades.get(name) ?? { set, field, ids: new Set() };
      cascades.set(name, cascade);
      cascade.ids.add(id);
    },
  };
  return self;
}

/** Blocks of memos behind what a set's stream has reached are not there yet. */
function provideNewBlocks(documents: WorkingSet, events: readonly Addressed[]): void {
  const reached = new Map<string, number>();
  for (const { set, event } of events) {
    const block = memoBlockOf(event.sequence);
    const last = reached.get(set) ?? memoBlockOf(event.sequence - 1);
    if (block > last) documents.provide('memoBlocks', keyOf(set, String(block)), null);
    reached.set(set, Math.max(block, last));
  }
}

async function loadRows(
  { rows }: GenerationCollections,
  documents: WorkingSet,
  wanted: Wanted,
  cascades: Cascades,
  documentsMax: number,
): Promise<Row[]> {
  const keys = [...(wanted.get('rows') ?? [])];
  const filters = [...cascades.values()].map(({ set, field, ids }) => ({
    set,
    [field]: { $in: [...ids] },
  }));
  const limit = documentsMax + 1;
  const [named, ...cascaded] = await Promise.all([
    keys.length > 0 ? rows.find({ _id: { $in: keys } }).toArray() : [],
    ...filters.map(filter => rows.find(filter, { limit, batchSize: limit }).toArray()),
  ]);
  const touched = new Set(cascaded.flat().map(({ _id }) => _id));
  if (touched.size > documentsMax) {
    throw new TooManyDocumentsError(`It would change more than ${documentsMax} rows`);
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

async function provide(
  collections: GenerationCollections,
  documents: WorkingSet,
  name: CollectionName,
  wanted: ReadonlySet<string>,
): Promise<void> {
  if (wanted.size === 0) return;
  const keys = [...wanted];
  const found = await collectionOf(collections, name)
    .find({ _id: { $in: keys } })
    .toArray();
  for (const stored of found) documents.provide(name, stored._id, documentOf(name, stored));
  for (const key of keys) documents.provide(name, key, null);
}

async function provideYears(
  { years }: GenerationCollections,
  documents: WorkingSet,
  sets: ReadonlySet<string>,
): Promise<void> {
  const missing = [...sets].filter(set => !documents.isComplete('years', set));
  if (missing.length === 0) return;
  const found = await years.find({ set: { $in: missing } }).toArray();
  for (const stored of found) documents.provide('years', stored._id, documentOf('years', stored));
  for (const set of missing) documents.provideAll('years', set);
}

// A category that moves or goes takes its group's size along; the group is known once the category is.
async function loadGroups(
  collections: GenerationCollections,
  documents: WorkingSet,
  events: readonly Addressed[],
): Promise<void> {
  const wanted: Wanted = new Map();
  for (const { set, event } of events) {
    if (event.type !== 'category.moved' && event.type !== 'category.deleted') continue;
    const category = documents.get('categories', set, event.data.categoryId);
    if (category) declareCategoryReads(category, reader(documents, set, wanted, new Map()));
  }
  await provide(collections, documents, 'groups', wanted.get('groups') ?? new Set());
}

// The collections of documents share a shape that their union hides.
function collectionOf(collections: GenerationCollections, name: CollectionName) {
  return collections[name] as unknown as GenerationCollections['groups'];
}
