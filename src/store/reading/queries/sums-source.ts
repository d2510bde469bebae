// Where the figures of a question about sums come from: stored sums of whole months, and rows (pure).
import { SUMMED_BY, type SummedBy } from '../../../../projections/aggregates/month-sums.ts';
import type { SumsQuery } from '../../../../schemas/generated/queries.ts';
import { addMonths, lastDayOf, monthNumber, monthOf } from '../../../process/calendar.ts';

/** What the groups are made of; a group of categories is made of them, and null stands for all rows together. */
export const GROUPED_BY: Readonly<Record<SumsQuery['group_by'], SummedBy | null>> = {
  account: 'accounts',
  category: 'categories',
  categoryGroup: 'categories',
  payee: 'payees',
  label: 'labels',
  none: null,
};

/** The parameters that name a thing. */
const FILTERS = {
  accounts: 'account_id',
  categories: 'category_id',
  payees: 'payee_id',
  labels: 'label_id',
} as const satisfies Record<SummedBy, keyof SumsQuery>;

/** A thing that a query filters by. */
export interface ThingFilter {
  readonly kind: SummedBy;
  readonly id: string;
}

export function thingFilters(query: SumsQuery): ThingFilter[] {
  return SUMMED_BY.flatMap(kind => {
    const id = query[FILTERS[kind]];
    return id === undefined ? [] : [{ kind, id }];
  });
}

/** Dates, both included; undefined where a query has no bound. */
export interface DateRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The months whose stored sums count, both included. */
export interface StoredMonths {
  readonly kind: SummedBy;
  /** Only this thing's sums count; null for those of all. */
  readonly id: string | null;
  readonly from: string;
  readonly to: string;
}

export interface SumsSource {
  readonly months: StoredMonths | null;
  /** The rows of these dates are read. */
  readonly days: readonly DateRange[];
}

/** Returns the sources that together have each row between the dates once. */
export function sumsSourceOf(query: SumsQuery): SumsSource {
  const { start_date: from, end_date: to } = query;
  const stored = storedThings(query);
  if (stored === null) return { months: null, days: [{ from, to }] };
  const { months, days } = splitRange({ from, to });
  return { months: months && { ...stored, ...months }, days };
}

/**
 * Returns whose stored sums are the figures of a query, null where none are: a row's payee and category, say, are not
 * summed together, and the sums of one label do not tell the other labels of its rows.
 */
function storedThings(query: SumsQuery): Pick<StoredMonths, 'kind' | 'id'> | null {
  const grouped = GROUPED_BY[query.group_by];
  const [filter, ...more] = thingFilters(query);
  if (filter === undefined) return { kind: grouped ?? 'accounts', id: null };
  if (more.length > 0 || query.group_by === 'label') return null;
  return grouped === null || grouped === filter.kind ? filter : null;
}

/** The whole time that dates can be of. */
const FIRST = '0001-01-01';
const LAST = '9999-12-31';

/** Splits a range into its whole months, if there are any, and the days before and after them. */
export function splitRange({ from = FIRST, to = LAST }: DateRange): {
  readonly months: { readonly from: string; readonly to: string } | null;
  readonly days: readonly DateRange[];
} {
  const [first, last] = [monthOf(from), monthOf(to)];
  const startsInside = from !== `${first}-01`;
  const endsInside = to !== lastDayOf(last);
  const firstWhole = monthNumber(first) + (startsInside ? 1 : 0);
  const lastWhole = monthNumber(last) - (endsInside ? 1 : 0);
  if (firstWhole > lastWhole) return { months: null, days: [{ from, to }] };
  return {
    months: {
      from: startsInside ? addMonths(first, 1) : first,
      to: endsInside ? addMonths(last, -1) : last,
    },
    days: [
      ...(startsInside ? [{ from, to: lastDayOf(first) }] : []),
      ...(endsInside ? [{ from: `${last}-01`, to }] : []),
    ],
  };
}
