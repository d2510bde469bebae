// The filters of /transactions as a query of the store, and the index that answers it (pure).
import type { Document, Filter } from 'mongodb';
import { foldText } from '../../../projections/fold.ts';
import { endPlaceOf, firstPlaceOf } from '../../../projections/place.ts';
import { BY_CATEGORY, BY_PLACE, type StoredRow } from '../row-codec.ts';
import type { Page } from './named.ts';

/** Checked parameters of /transactions; what is absent does not filter. */
export interface TransactionsQuery extends Page {
  readonly accountId?: string | undefined;
  readonly categoryId?: string | undefined;
  /** Inclusive, as `endDate` is. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly search?: string | undefined;
  readonly uncategorized?: boolean | undefined;
  readonly uncleared?: boolean | undefined;
}

/** `endPlace`: only rows below it, in place of the end date. */
export function rowFilter(
  set: string,
  query: TransactionsQuery,
  endPlace: number | undefined,
): Filter<StoredRow> {
  const { accountId, categoryId, startDate, endDate, search, uncategorized, uncleared } = query;
  const below = endPlace ?? (endDate === undefined ? undefined : endPlaceOf(endDate));
  const place = {
    ...(startDate !== undefined && { $gte: firstPlaceOf(startDate) }),
    ...(below !== undefined && { $lt: below }),
  };
  return {
    set,
    ...(accountId !== undefined && { account: accountId }),
    ...(categoryId !== undefined && { category: categoryId }),
    ...(Object.keys(place).length > 0 && { place }),
    ...(uncategorized !== undefined && { uncategorized }),
    ...(uncleared !== undefined && { cleared: !uncleared }),
    ...(search !== undefined && { $expr: contains('$search', foldText(search)) }),
  };
}

/** A byte search: folded texts are alike exactly when their bytes are, and UTF-8 has no false matches. */
export function contains(field: `$${string}`, folded: string): Document {
  return { $gte: [{ $indexOfBytes: [field, { $literal: folded }] }, 0] };
}

/** Named where one index is plainly right; of two narrow ones the store finds out which is narrower. */
export function rowIndex(query: TransactionsQuery): Document | undefined {
  const narrow: Document[] = [];
  if (query.accountId !== undefined) narrow.push({ set: 1, account: 1, place: -1 });
  if (query.categoryId !== undefined) narrow.push(BY_CATEGORY);
  if (query.uncategorized === true) narrow.push({ set: 1, place: -1, uncategorized: 1 });
  if (query.uncleared === true) narrow.push({ set: 1, place: -1, cleared: 1 });
  return narrow.length > 1 ? undefined : (narrow[0] ?? BY_PLACE);
}

/** Which counts lead to an offset of this list, if any do. */
export function countedBy(query: TransactionsQuery): 'budget' | 'account' | 'category' | null {
  const { accountId, categoryId, search, uncategorized, uncleared } = query;
  if (search !== undefined || uncategorized !== undefined || uncleared !== undefined) return null;
  if (accountId !== undefined) return categoryId === undefined ? 'account' : null;
  return categoryId === undefined ? 'budget' : 'category';
}
