// Finds the rows that a search is about without looking at every row: by the memos in blocks, and by the payees
// and categories whose names match (projections.md, shape).
import { foldText } from '../../../projections/fold.ts';
import { placesIn } from '../../../projections/memo-text.ts';
import { endPlaceOf, firstPlaceOf } from '../../../projections/place.ts';
import { BY_CATEGORY, BY_PAYEE } from '../row-codec.ts';
import type { Reading } from '../snapshot.ts';
import { contains, rowFilter, type TransactionsQuery } from './transaction-filter.ts';

/** So many finds for each row up to the end of the page: it is found sooner row by row. */
const FREQUENT = 20;
const PLACES_MAX = 10_000;
/** The store merges so many lists of rows in their order, and no more. */
const NAMES_MAX = 200;
const BLOCKS_OF_BATCH = 200;

/** Fields of rows by which names lead to them. */
const NAMED_BY = {
  payee: { names: 'payees', index: BY_PAYEE },
  category: { names: 'categories', index: BY_CATEGORY },
} as const;

/**
 * Places within the dates, among which are those of all rows up to the end of the page; other filters are not
 * looked at. Null: there are so many that reading row by row is the better way.
 */
export async function searchPlaces(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
): Promise<number[] | null> {
  const folded = foldText(query.search ?? '');
  const rowsMax = query.offset + query.limit;
  if (rowsMax > PLACES_MAX) return null;
  const placesMax = Math.min(FREQUENT * rowsMax, PLACES_MAX);
  const found = await Promise.all([
    byMemo(reading, set, query, folded, placesMax),
    byName(reading, set, query, 'payee', folded, placesMax),
    byName(reading, set, query, 'category', folded, placesMax),
  ]);
  const places = new Set<number>();
  for (const part of found) {
    if (part === null) return null;
    for (const place of part) places.add(place);
  }
  return [...places];
}

/** All of them within the dates; null when they are more than `max`. */
async function byMemo(
  { collections, options }: Reading,
  set: string,
  { startDate, endDate }: TransactionsQuery,
  folded: string,
  max: number,
): Promise<number[] | null> {
  const from = startDate === undefined ? 0 : firstPlaceOf(startDate);
  const end = endDate === undefined ? Number.POSITIVE_INFINITY : endPlaceOf(endDate);
  const blocks = collections.memoBlocks.find(
    { set, $expr: contains('$text', folded) },
    { ...options, projection: { _id: 0, id: 1, text: 1 }, batchSize: BLOCKS_OF_BATCH },
  );
  const found: number[] = [];
  for await (const { id, text } of blocks) {
    for (const place of placesIn(Number(id), text, folded)) {
      if (place >= from && place < end) found.push(place);
    }
    if (found.length > max) return null;
  }
  return found;
}

/** The rows that carry such a name, within the dates; null when they or the names are too many. */
async function byName(
  reading: Reading,
  set: string,
  { startDate, endDate, ...query }: TransactionsQuery,
  field: keyof typeof NAMED_BY,
  folded: string,
  max: number,
): Promise<number[] | null> {
  const { names, index } = NAMED_BY[field];
  const ids = await named(reading, names, set, folded);
  if (ids === null || ids.length === 0) return ids && [];
  // In the order of the list: where nothing else filters, no row after the page's end is of interest.
  const rowsMax = isFilteredFurther(query) ? max + 1 : query.offset + query.limit;
  const { limit, offset } = query;
  const dated = rowFilter(set, { limit, offset, startDate, endDate }, undefined);
  const found = await reading.collections.rows
    .find(
      { ...dated, [field]: { $in: ids } },
      { ...reading.options, projection: { _id: 0, place: 1 }, hint: index },
    )
    .sort({ place: -1 })
    .limit(rowsMax)
    .batchSize(rowsMax + 1)
    .map(({ place }) => place)
    .toArray();
  return found.length > max ? null : found;
}

function isFilteredFurther(query: TransactionsQuery): boolean {
  const { accountId, categoryId, uncategorized, uncleared } = query;
  return [accountId, categoryId, uncategorized, uncleared].some(filter => filter !== undefined);
}

/** Ids of what has such a name; null when they are too many. */
async function named(
  { collections, options }: Reading,
  kind: 'payees' | 'categories',
  set: string,
  folded: string,
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
