// Finds the rows that a search is about without looking at every row: by the memos in blocks, and by the payees
// and categories whose names match (projections.md, shape).
import type { Filter } from 'mongodb';
import { foldText } from '../../../projections/fold.ts';
import { placesIn } from '../../../projections/memo-text.ts';
import { endPlaceOf, firstPlaceOf } from '../../../projections/place.ts';
import { BY_CATEGORY, BY_PAYEE, type StoredRow } from '../collections.ts';
import type { Reading } from '../snapshot.ts';
import { contains, rowFilter, type TransactionsQuery } from './transaction-filter.ts';

/** So many memos for each row up to the end of the page: the page is found sooner row by row. */
const FREQUENT = 20;
const PLACES_MAX = 10_000;
/** The store merges so many lists of rows in their order, and no more. */
const NAMES_MAX = 200;
const BLOCKS_OF_BATCH = 200;

/**
 * Places among which are those of all rows up to the end of the page; those of other rows only where memos are
 * looked for and the query filters by more than dates. Null: reading row by row is the better way.
 */
export async function searchPlaces(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
): Promise<number[] | null> {
  const folded = foldText(query.search ?? '');
  const rowsMax = query.offset + query.limit;
  if (rowsMax > PLACES_MAX) return null;
  const memosMax = Math.min(FREQUENT * rowsMax, PLACES_MAX);
  const found = await Promise.all([
    byMemo(reading, set, query, folded, memosMax),
    byPayee(reading, set, query, folded, rowsMax),
    byCategory(reading, set, query, folded, rowsMax),
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

async function byPayee(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
  folded: string,
  rowsMax: number,
): Promise<number[] | null> {
  const ids = await named(reading, 'payees', set, folded);
  if (ids === null || ids.length === 0) return ids && [];
  const filter = { ...withoutSearch(set, query), payee: { $in: ids } };
  return await firstPlaces(reading, filter, BY_PAYEE, rowsMax);
}

async function byCategory(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
  folded: string,
  rowsMax: number,
): Promise<number[] | null> {
  const ids = await named(reading, 'categories', set, folded);
  if (ids === null || ids.length === 0) return ids && [];
  const filter = { $and: [withoutSearch(set, query), { category: { $in: ids } }] };
  return await firstPlaces(reading, filter, BY_CATEGORY, rowsMax);
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

/** The places of the first rows in the order of the list. */
async function firstPlaces(
  { collections, options }: Reading,
  filter: Filter<StoredRow>,
  hint: typeof BY_PAYEE | typeof BY_CATEGORY,
  rowsMax: number,
): Promise<number[]> {
  return await collections.rows
    .find(filter, { ...options, projection: { _id: 0, place: 1 }, hint })
    .sort({ place: -1 })
    .limit(rowsMax)
    .batchSize(rowsMax + 1)
    .map(({ place }) => place)
    .toArray();
}

function withoutSearch(set: string, query: TransactionsQuery): Filter<StoredRow> {
  return rowFilter(set, { ...query, search: undefined }, undefined);
}
