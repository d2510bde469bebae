// Finds the rows that a search is about without looking at every row: by the memos in blocks, and by the payees
// and categories whose names match (projections.md, shape).
import { placesIn } from '../../../projections/memo-text.ts';
import type { Place } from '../../../projections/place.ts';
import { BY_CATEGORY, BY_PAYEE } from '../collections.ts';
import type { Reading } from '../snapshot.ts';
import type { Page } from './named.ts';
import { contains, placeRange, type RowFilter, rowFilter } from './transaction-filter.ts';

/** Beyond this many matches per row up to the end of the page, reading row by row finds the page sooner. */
const FREQUENT = 20;
const PLACES_MAX = 10_000;
/** The store merges this many lists of rows in their order, and no more. */
const NAMES_MAX = 200;
const BLOCKS_OF_BATCH = 200;

/** Fields of rows by which names lead to them. */
const NAMED_BY = {
  payee: { names: 'payees', index: BY_PAYEE },
  category: { names: 'categories', index: BY_CATEGORY },
} as const;

export interface Search {
  readonly reading: Reading;
  readonly set: string;
  readonly page: Page;
  /** Those beside the search. */
  readonly filters: readonly RowFilter[];
  /** The text that is searched for, as rows are searched by it. */
  readonly folded: string;
}

/** A search that stops beyond so many places. */
interface BoundedSearch extends Search {
  readonly placesMax: number;
}

/**
 * Returns places within the dates that include those of all rows up to the end of the page; filters other than the
 * dates are not applied. Null: there are so many that reading row by row is the better way.
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

/** All of them within the dates; null when they are more than `placesMax`. */
async function byMemo(search: BoundedSearch): Promise<Place[] | null> {
  const { reading, set, filters, folded, placesMax } = search;
  const { $gte: from = 0, $lt: end = Number.POSITIVE_INFINITY } = placeRange(filters);
  const blocks = reading.collections.memoBlocks.find(
    { set, $expr: contains('$text', folded) },
    { ...reading.options, projection: { _id: 0, id: 1, text: 1 }, batchSize: BLOCKS_OF_BATCH },
  );
  const found: Place[] = [];
  for await (const { id, text } of blocks) {
    for (const place of placesIn(Number(id), text, folded)) {
      if (place >= from && place < end) found.push(place);
    }
    if (found.length > placesMax) return null;
  }
  return found;
}

/** The rows that carry such a name, within the dates; null when they or the names are too many. */
async function byName(
  search: BoundedSearch,
  field: keyof typeof NAMED_BY,
): Promise<Place[] | null> {
  const { reading, set, page, filters, placesMax } = search;
  const { names, index } = NAMED_BY[field];
  const ids = await named(search, names);
  if (ids === null || ids.length === 0) return ids && [];
  const dates = filters.filter(({ by }) => by === 'date');
  // In the order of the list: where nothing else filters, rows after the page's end do not matter.
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

/** Ids of what has such a name; null when they are too many. */
async function named(
  { reading: { collections, options }, set, folded }: Search,
  kind: 'payees' | 'categories',
): Promise<string[] | null> {
  const found = await collections[kind]
    .find(
      { set, $expr: contains('$nameKey', folded) },
      { ...options, projection: { _id: 0, id: 1 } },
    )
    .limit(NAMES_MAX + 1)
    .batchSize(NAMES_MAX + 2)
    .toArray();
  return found.length > NAMES_MAX ? null : found.map(({ id }) => id);
}
