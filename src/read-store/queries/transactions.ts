// A page of transactions: the stored JSON texts, joined without being decoded (projections.md, shape).
import type { Reading } from '../snapshot.ts';
import { accountCounts, budgetCounts, categoryCounts } from './count-sources.ts';
import { joinRows } from './join-rows.ts';
import { rawBatches } from './raw-batches.ts';
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
  const start = await pageStart(reading, set, query);
  if (start === null) return joinRows([], query);
  const hint = rowIndex(query);
  const batches = await rawBatches(reading, {
    find: reading.collections.rows.collectionName,
    filter: rowFilter(set, query, start.endPlace),
    projection: { _id: 0, json: 1 },
    sort: { place: -1 },
    skip: start.skip,
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
