// Loads what a chunk of events declared, once for each collection, into its working set.
import type { CollectionName, Row } from '../../projections/documents.ts';
import {
  declareCategoryReads,
  declareReads,
  declareRowReads,
  type Reader,
  type RowField,
} from '../../projections/reads.ts';
import { keyOf, type WorkingSet } from '../../projections/working-set.ts';
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import type { GenerationCollections, StoredRow } from './collections.ts';
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
  for (const { set, event } of events) declareReads(event, reader(set, wanted, cascades));
  const rows = await loadRows(collections, documents, wanted, cascades, documentsMax);
  for (const row of rows) declareRowReads(row, reader(row.set, wanted, cascades));
  wanted.delete('rows');
  await Promise.all([
    ...[...wanted].map(([name, keys]) => provide(collections, documents, name, keys)),
    provideYears(collections, documents, new Set(events.map(({ set }) => set))),
  ]);
  await loadGroups(collections, documents, events);
}

function reader(set: string, wanted: Wanted, cascades: Cascades): Reader {
  return {
    document(collection, id) {
      if (id === null || id === undefined) return;
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
}

async function loadRows(
  { rows }: GenerationCollections,
  documents: WorkingSet,
  wanted: Wanted,
  cascades: Cascades,
  documentsMax: number,
): Promise<Row[]> {
  const keys = unprovided(documents, 'rows', wanted.get('rows') ?? new Set());
  const filters = [...cascades.values()].map(({ set, field, ids }) => ({
    set,
    [field]: { $in: [...ids] },
  }));
  const limit = documentsMax + 1;
  const found = await Promise.all([
    keys.length > 0 ? rows.find({ _id: { $in: keys } }).toArray() : [],
    ...filters.map(filter => rows.find(filter, { limit, batchSize: limit }).toArray()),
  ]);
  const stored = new Map<string, StoredRow>(found.flat().map(row => [row._id, row]));
  if (stored.size > documentsMax && keys.length < stored.size) {
    throw new TooManyDocumentsError(`A chunk would change more than ${documentsMax} rows`);
  }
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
  const keys = unprovided(documents, name, wanted);
  if (keys.length === 0) return;
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
  const found = await years.find({ set: { $in: [...sets] } }).toArray();
  for (const stored of found) documents.provide('years', stored._id, documentOf('years', stored));
  for (const set of sets) documents.provideAll('years', set);
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
    if (category) declareCategoryReads(category, reader(set, wanted, new Map()));
  }
  await provide(collections, documents, 'groups', wanted.get('groups') ?? new Set());
}

function unprovided(
  documents: WorkingSet,
  name: CollectionName,
  keys: ReadonlySet<string>,
): string[] {
  return [...keys].filter(key => !documents.isProvided(name, key));
}

// The collections of documents share a shape that their union hides.
function collectionOf(collections: GenerationCollections, name: CollectionName) {
  return collections[name] as unknown as GenerationCollections['groups'];
}
