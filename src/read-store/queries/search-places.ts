// Finds the rows that a search is about without looking at every row: by the memos in blocks, and by the payees
// and categories whose names match (projections.md, shape).
import type { Document } from 'mongodb';
import { foldText } from '../../../projections/fold.ts';
import { placesIn } from '../../../projections/memo-text.ts';
import { endPlaceOf, firstPlaceOf } from '../../../projections/place.ts';
import type { Reading } from '../snapshot.ts';
import { contains, rowFilter, type TransactionsQuery } from './transaction-filter.ts';

/** So many times the rows up to the end of the page are found by reading rows in their order soon enough. */
const FREQUENT = 20;
const PLACES_MAX = 20_000;
const NAMES_MAX = 200;
const BLOCKS_OF_BATCH = 200;

/**
 * The places of all rows that match the query, and where it filters by more than dates maybe of some that do not.
 * Null: they are so many that the page is found sooner row by row.
 */
export async function searchPlaces(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
): Promise<number[] | null> {
  const { search = '', offset, limit } = query;
  const folded = foldText(search);
  const placesMax = Math.min(FREQUENT * (offset + limit), PLACES_MAX);
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

async function byMemo(
  { collections, options }: Reading,
  set: string,
  { startDate, endDate }: TransactionsQuery,
  folded: string,
  placesMax: number,
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
    if (found.length > placesMax) return null;
  }
  return found;
}

/** The names that rows carry, and the index that leads from one to its rows. */
const NAMES = {
  payee: { collection: 'payees', index: { set: 1, payee: 1 } },
  category: { collection: 'categories', index: { set: 1, category: 1, place: -1 } },
} as const;

async function byName(
  { collections, options }: Reading,
  set: string,
  query: TransactionsQuery,
  field: keyof typeof NAMES,
  folded: string,
  placesMax: number,
): Promise<number[] | null> {
  const { collection, index } = NAMES[field];
  const ids = await first(NAMES_MAX, limit =>
    collections[collection]
      .find(
        { set, $expr: contains('$nameKey', folded) },
        { ...options, projection: { _id: 0, id: 1 }, limit, batchSize: limit + 1 },
      )
      .map(({ id }) => id)
      .toArray(),
  );
  if (ids === null || ids.length === 0) return ids && [];
  const others = rowFilter(set, { ...query, search: undefined }, undefined);
  const matching: Document = { $and: [others, { [field]: { $in: ids } }] };
  return await first(placesMax, limit =>
    collections.rows
      .find(matching, {
        ...options,
        projection: { _id: 0, place: 1 },
        hint: index,
        limit,
        batchSize: limit + 1,
      })
      .map(({ place }) => place)
      .toArray(),
  );
}

/** All that is found; null when it is more than `max`. */
async function first<T>(max: number, find: (limit: number) => Promise<T[]>): Promise<T[] | null> {
  const found = await find(max + 1);
  return found.length > max ? null : found;
}
