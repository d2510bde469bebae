// The filters of /transactions: one table defines how the store applies each filter; paging and search follow from it.
import type { Document, Filter } from 'mongodb';
import { parseMoney } from '../../../../projections/money.ts';
import { normalizeText } from '../../../../projections/normalize-text.ts';
import { endPlaceOf, firstPlaceOf, type Place } from '../../../../projections/place.ts';
import type { TransactionsQuery } from '../../../../schemas/generated/queries.ts';
import {
  BY_CATEGORY,
  BY_LABEL,
  BY_PAYEE,
  BY_PLACE,
  BY_TYPE,
  STANDARD,
  type StoredRow,
} from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import type { NamedDocument } from './by-id.ts';
import { accountCounts, categoryCounts, summedCounts } from './count-sources.ts';
import type { PageRange } from './named.ts';
import type { CountSource } from './seek.ts';

/** A date cuts the list, which is ordered by place, at one end. */
interface DateFilter {
  readonly by: 'date';
  readonly place: PlaceRange;
}

interface TextFilter {
  readonly by: 'text';
  /** The normalized text. */
  readonly normalized: string;
}

interface AmountFilter {
  readonly by: 'amount';
  readonly amount: AmountRange;
}

interface FieldFilter {
  readonly by: 'field';
  readonly match: Filter<StoredRow>;
  /** The index that finds the rows with this value; null where they are most of the list. */
  readonly index: Document | null;
  /** The document that the filter names, and that must exist; null without one. */
  readonly names: NamedDocument | null;
  /** Returns the stored counts of the rows with this value; null where no counts are stored. */
  readonly counts: ((reading: Reading, set: string) => CountSource | null) | null;
}

export type RowFilter = DateFilter | TextFilter | AmountFilter | FieldFilter;

/** Places at or above `$gte` and below `$lt`. */
interface PlaceRange {
  readonly $gte?: Place;
  readonly $lt?: Place;
}

/** Amounts in hundredths, both ends included. */
export interface AmountRange {
  readonly $gte?: number;
  readonly $lte?: number;
}

/** The parameters that select rows: all but the budget, the page and the headers. */
type FilterName = Exclude<keyof TransactionsQuery, 'budget_id' | keyof PageRange | `X-${string}`>;

/** A parameter of the schema that is missing here does not compile. */
const FILTERS: {
  readonly [Name in FilterName]: (value: NonNullable<TransactionsQuery[Name]>) => RowFilter;
} = {
  account_id: id => ({
    by: 'field',
    match: { account: id },
    index: { set: 1, account: 1, place: -1 },
    names: { kind: 'accounts', id },
    counts: (reading, set) => accountCounts(reading, set, id),
  }),
  category_id: id => ({
    by: 'field',
    match: { category: id },
    index: BY_CATEGORY,
    names: { kind: 'categories', id },
    counts: (reading, set) => categoryCounts(reading, set, id),
  }),
  payee_id: id => ({
    by: 'field',
    match: { payee: id },
    index: BY_PAYEE,
    names: { kind: 'payees', id },
    counts: summed({ kind: 'payees', id, match: { payee: id } }),
  }),
  label_id: id => ({
    by: 'field',
    match: { labels: id },
    index: BY_LABEL,
    names: { kind: 'labels', id },
    counts: summed({ kind: 'labels', id, match: { labels: id } }),
  }),
  type: type => ({
    by: 'field',
    match: { type: type === STANDARD ? { $exists: false } : type },
    index: type === STANDARD ? null : BY_TYPE,
    names: null,
    counts: null,
  }),
  min_amount: amount => ({ by: 'amount', amount: { $gte: parseMoney(amount) } }),
  max_amount: amount => ({ by: 'amount', amount: { $lte: parseMoney(amount) } }),
  start_date: date => ({ by: 'date', place: { $gte: firstPlaceOf(date) } }),
  end_date: date => ({ by: 'date', place: { $lt: endPlaceOf(date) } }),
  search: text => ({ by: 'text', normalized: normalizeText(text) }),
  uncategorized: uncategorized => ({
    by: 'field',
    match: { uncategorized },
    index: uncategorized ? { set: 1, place: -1, uncategorized: 1 } : null,
    names: null,
    counts: null,
  }),
  uncleared: uncleared => ({
    by: 'field',
    match: { cleared: !uncleared },
    index: uncleared ? { set: 1, place: -1, cleared: 1 } : null,
    names: null,
    counts: null,
  }),
};

const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** The first version of the projections that stores amounts and types in rows, rows by label in order, and sums of months. */
const AMOUNTS_VERSION_MIN = 5;

/** The first version that stores what a filter reads; a filter that is missing here does not compile. */
const VERSION_MIN: { readonly [Name in FilterName]: number } = {
  account_id: 0,
  category_id: 0,
  payee_id: 0,
  label_id: AMOUNTS_VERSION_MIN,
  type: AMOUNTS_VERSION_MIN,
  min_amount: AMOUNTS_VERSION_MIN,
  max_amount: AMOUNTS_VERSION_MIN,
  start_date: 0,
  end_date: 0,
  search: 0,
  uncategorized: 0,
  uncleared: 0,
};

/** Returns the counts of a thing's stored sums, which older generations do not have. */
function summed(thing: Parameters<typeof summedCounts>[2]): NonNullable<FieldFilter['counts']> {
  return (reading, set) =>
    Number(reading.version) >= AMOUNTS_VERSION_MIN ? summedCounts(reading, set, thing) : null;
}

/** Returns whether a generation of this version of the projections can answer the query. */
export function isServedBy(version: number, query: TransactionsQuery): boolean {
  return FILTER_NAMES.every(name => query[name] === undefined || version >= VERSION_MIN[name]);
}

/** The parameters of /transactions that select rows; another endpoint may have some of them. */
type Filters = { readonly [Name in FilterName]?: TransactionsQuery[Name] | undefined };

/** Returns the filters of a query, one for each parameter that is present. */
export function filtersOf(query: Filters): RowFilter[] {
  return FILTER_NAMES.flatMap(name => filterOf(name, query));
}

/** Returns what a query names by its id: the budget must have it. */
export function namedBy(query: Filters): NamedDocument[] {
  return filtersOf(query).flatMap(filter => (filter.by === 'field' && filter.names) || []);
}

function filterOf<Name extends FilterName>(name: Name, query: Filters): RowFilter[] {
  const value = query[name];
  return value === undefined ? [] : [FILTERS[name](value)];
}

/** Returns a filter for the rows of a set that match all filters; `endPlace` replaces the end date. */
export function rowFilter(
  set: string,
  filters: readonly RowFilter[],
  endPlace?: Place,
): Filter<StoredRow> {
  const place = { ...placeRange(filters), ...(endPlace !== undefined && { $lt: endPlace }) };
  const rows: Filter<StoredRow> = { set, ...(Object.keys(place).length > 0 && { place }) };
  for (const filter of filters) if (filter.by === 'field') Object.assign(rows, filter.match);
  const tests = filters.flatMap(testsOf);
  return tests.length === 0 ? rows : { ...rows, $expr: { $and: tests } };
}

/** Returns the expressions of a filter that no index serves: the list is read row by row. */
function testsOf(filter: RowFilter): Document[] {
  if (filter.by === 'text') return [contains('$search', filter.normalized)];
  if (filter.by !== 'amount') return [];
  // Of a difference, because a plain comparison could lead the store to the index by amount and to a sort in memory.
  return Object.entries(filter.amount).map(([operator, limit]) => ({
    [operator]: [{ $subtract: ['$amount', limit] }, 0],
  }));
}

/** Returns the range of amounts that filters keep, null without a filter of amounts. */
export function amountRange(filters: readonly RowFilter[]): AmountRange | null {
  const amounts = filters.flatMap(filter => (filter.by === 'amount' ? [filter.amount] : []));
  return amounts.length === 0 ? null : Object.assign({}, ...amounts);
}

/** Returns the part of the list between the dates. */
export function placeRange(filters: readonly RowFilter[]): PlaceRange {
  const range: PlaceRange = {};
  for (const filter of filters) if (filter.by === 'date') Object.assign(range, filter.place);
  return range;
}

/** Returns a byte search: equal normalized texts have equal bytes, and UTF-8 allows no false match. */
export function contains(field: `$${string}`, normalized: string): Document {
  return { $gte: [{ $indexOfBytes: [field, { $literal: normalized }] }, 0] };
}

/** Returns the index to use, or undefined for several narrow ones: the store then finds the narrowest. */
export function rowIndex(filters: readonly RowFilter[]): Document | undefined {
  const narrow = filters.flatMap(filter => (filter.by === 'field' ? (filter.index ?? []) : []));
  return narrow.length > 1 ? undefined : (narrow[0] ?? BY_PLACE);
}
