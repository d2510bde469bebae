// A page of transactions: the stored JSON texts, joined without being decoded (projections.md, shape).
import type { Document, Filter } from 'mongodb';
import { BY_PLACE, type StoredRow } from '../row-codec.ts';
import type { Reading } from '../snapshot.ts';
import { accountCounts, budgetCounts, categoryCounts } from './count-sources.ts';
import { joinRows } from './join-rows.ts';
import { rawBatches } from './raw-batches.ts';
import { searchPlaces } from './search-places.ts';
import { type CountSource, locate, type PageStart } from './seek.ts';
import { storedId } from './stored-id.ts';
import { countedBy, rowFilter, rowIndex, type TransactionsQuery } from './transaction-filter.ts';

/** Below this, skipping rows costs less than reading the counts. */
const SEEK_OFFSET_MIN = 500;
const LAST_DATE = '9999-12-31';

/** Whether the budget holds the account and the category that are filtered by. */
export async function filterIdsExist(
  { collections, options }: Reading,
  set: string,
  { accountId, categoryId }: TransactionsQuery,
): Promise<boolean> {
  const only = { ...options, projection: { _id: 1 } };
  const found = await Promise.all([
    accountId === undefined ||
      collections.accounts.findOne({ _id: storedId(set, accountId) }, only),
    categoryId === undefined ||
      collections.categories.findOne({ _id: storedId(set, categoryId) }, only),
  ]);
  return found.every(one => one !== null);
}

/** The body of the answer: `transactions` and `pagination`. */
export async function readTransactions(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
): Promise<Buffer> {
  if (query.search !== undefined) {
    const places = await searchPlaces(reading, set, query);
    if (places !== null) return await readSearched(reading, set, query, places);
  }
  const start = await pageStart(reading, set, query);
  if (start === null) return joinRows([], query);
  const filter = rowFilter(set, query, start.endPlace);
  return await readRows(reading, query, filter, rowIndex(query), start.skip);
}

async function readSearched(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
  places: number[],
): Promise<Buffer> {
  if (places.length === 0) return joinRows([], query);
  const filter = rowFilter(set, { ...query, search: undefined }, undefined);
  const found = { ...filter, place: { $in: places } };
  return await readRows(reading, query, found, BY_PLACE, query.offset);
}

async function readRows(
  reading: Reading,
  query: TransactionsQuery,
  filter: Filter<StoredRow>,
  hint: Document | undefined,
  skip: number,
): Promise<Buffer> {
  const batches = await rawBatches(reading, {
    find: reading.collections.rows.collectionName,
    filter,
    projection: { _id: 0, json: 1 },
    sort: { place: -1 },
    skip,
    limit: query.limit,
    batchSize: query.limit + 1,
    ...(hint && { hint }),
  });
  return joinRows(batches, query);
}

/** Null: there are not so many rows. */
async function pageStart(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
): Promise<PageStart | { endPlace: undefined; skip: number } | null> {
  const source = query.offset < SEEK_OFFSET_MIN ? null : countSource(reading, set, query);
  if (source === null) return { endPlace: undefined, skip: query.offset };
  return await locate(source, query.endDate ?? LAST_DATE, query.offset);
}

function countSource(reading: Reading, set: string, query: TransactionsQuery): CountSource | null {
  const { accountId = '', categoryId = '' } = query;
  switch (countedBy(query)) {
    case 'budget':
      return budgetCounts(reading, set);
    case 'account':
      return accountCounts(reading, set, accountId);
    case 'category':
      return categoryCounts(reading, set, categoryId);
    case null:
      return null;
  }
}
