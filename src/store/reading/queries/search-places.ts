// Finds the rows that a search matches without reading every row: by memo blocks, and by the payees and categories with
// matching names (rules/projecting.md#searching).
import { placesIn } from '../../../../projections/memo-text.ts';
import type { Place } from '../../../../projections/place.ts';
import { BY_CATEGORY, BY_PAYEE } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import type { PageRange } from './named.ts';
import { documentsIn, eachRawBatch } from './raw-batches.ts';
import { contains, placeRange, type RowFilter, rowFilter } from './transaction-filter.ts';

/** Beyond this many matches for each row up to the end of the page, reading row by row is faster. */
const FREQUENT = 20;
/** Beyond this many places the query reads row by row instead. */
const PLACES_MAX = 10_000;
/** The store merges at most this many ordered lists of rows; beyond that the query reads row by row instead. */
const NAMES_MAX = 200;
const BLOCKS_OF_BATCH = 200;

/** The fields that lead from a name to its rows. */
const NAMED_BY = {
  payee: { names: 'payees', index: BY_PAYEE },
  category: { names: 'categories', index: BY_CATEGORY },
} as const;

export interface Search {
  readonly reading: Reading;
  readonly set: string;
  readonly page: PageRange;
  /** All filters but the search. */
  readonly filters: readonly RowFilter[];
  /** The normalized search text. */
  readonly normalized: string;
}

/** A search that gives up beyond `placesMax` places. */
interface BoundedSearch extends Search {
  readonly placesMax: number;
}

/**
 * Returns places between the dates, among them those of all rows up to the end of the page. Filters other than dates
 * are not applied. Returns null when there are so many that reading row by row is faster.
 */
export async function searchPlaces(search: Search): Promise<Place[] | null> {
  const rowsMax = search.page.offset + search.page.limit;
  if (rowsMax > PLACES_MAX) return null;
  const bounded = { ...search, placesMax: Math.min(FREQUENT * rowsMax, PLACES_MAX) };
  const found = await Promise.all([
    byMemo(bounded),
    byName(bounded, 'payee'),
    byName(bounded, 'category'),
  ]);
  const places = new Set<Place>();
  for (const part of found) {
    if (part === null) return null;
    for (const place of part) places.add(place);
  }
  return [...places];
}

/** Returns all places between the dates with a matching memo; null when there are more than `placesMax`. */
async function byMemo(search: BoundedSearch): Promise<Place[] | null> {
  const { reading, set, filters, normalized, placesMax } = search;
  const { $gte: from = 0, $lt: end = Number.POSITIVE_INFINITY } = placeRange(filters);
  const batches = eachRawBatch(reading, {
    find: reading.collections.memoBlocks.collectionName,
    filter: { set, $expr: contains('$text', normalized) },
    projection: { _id: 0, id: 1, text: 1 },
    batchSize: BLOCKS_OF_BATCH,
  });
  const found: Place[] = [];
  for await (const batch of batches) {
    for (const { id, text } of documentsIn(batch)) {
      for (const place of placesIn(Number(id), text, normalized)) {
        if (place >= from && place < end) found.push(place);
      }
    }
    if (found.length > placesMax) return null;
  }
  return found;
}

/** Returns the places between the dates with a matching name; null when there are too many rows or names. */
async function byName(
  search: BoundedSearch,
  field: keyof typeof NAMED_BY,
): Promise<Place[] | null> {
  const { reading, set, page, filters, placesMax } = search;
  const { names, index } = NAMED_BY[field];
  const ids = await idsByName(search, names);
  if (ids === null || ids.length === 0) return ids && [];
  const dates = filters.filter(({ by }) => by === 'date');
  // Rows come in the order of the list. Without further filters, those after the end of the page are not needed.
  const rowsMax = dates.length < filters.length ? placesMax + 1 : page.offset + page.limit;
  const found = await reading.collections.rows
    .find<{ place: Place }>(
      { ...rowFilter(set, dates), [field]: { $in: ids } },
      { ...reading.options, projection: { _id: 0, place: 1 }, hint: index },
    )
    .sort({ place: -1 })
    .limit(rowsMax)
    .batchSize(rowsMax + 1)
    .map(({ place }) => place)
    .toArray();
  return found.length > placesMax ? null : found;
}

/** Returns the ids of payees or categories with a matching name; null when there are more than `NAMES_MAX`. */
async function idsByName(
  { reading: { collections, options }, set, normalized }: Search,
  kind: 'payees' | 'categories',
): Promise<string[] | null> {
  const found = await collections[kind]
    .find(
      { set, $expr: contains('$nameKey', normalized) },
      { ...options, projection: { _id: 0, id: 1 } },
    )
    .limit(NAMES_MAX + 1)
    .batchSize(NAMES_MAX + 2)
    .toArray();
  return found.length > NAMES_MAX ? null : found.map(({ id }) => id);
}
