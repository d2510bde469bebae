// Adds up rows in the store: those of a few days, and those of filters that no stored sums answer.
import type { Document } from 'mongodb';
import type { SummedBy } from '../../../../projections/aggregates/month-sums.ts';
import { firstPlaceOf } from '../../../../projections/place.ts';
import type { SumsQuery } from '../../../../schemas/generated/queries.ts';
import { DAY_MS } from '../../../process/calendar.ts';
import type { StoredRow } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import type { GroupTotals } from './grouped-totals.ts';
import { type DateRange, GROUPED_BY } from './sums-source.ts';
import { filtersOf, rowFilter, rowIndex } from './transaction-filter.ts';

/** The field of a row with the id of a thing. */
const ROW_FIELDS = {
  accounts: 'account',
  categories: 'category',
  payees: 'payee',
  labels: 'labels',
} as const satisfies Record<SummedBy, keyof StoredRow>;

/** Returns the totals of the rows between two dates that match a query's filters, by period and group. */
export async function readRowTotals(
  { collections, options }: Reading,
  set: string,
  { query, range }: { readonly query: SumsQuery; readonly range: DateRange },
): Promise<GroupTotals[]> {
  const { account_id, category_id, payee_id, label_id, on_budget: onBudget, transfers } = query;
  const things = { account_id, category_id, payee_id, label_id };
  const filters = filtersOf({ ...things, start_date: range.from, end_date: range.to });
  const match = {
    ...rowFilter(set, filters),
    ...(onBudget !== undefined && { onBudget }),
    ...(transfers !== 'include' && { transfer: { $exists: transfers === 'only' } }),
  };
  const hint = rowIndex(filters);
  const stages = [{ $match: match }, ...groupStages(query)];
  const found = collections.rows.aggregate<Grouped>(stages, { ...options, ...(hint && { hint }) });
  return await found
    .map(({ _id: { period = null, id = null }, count, inflow, outflow }) => {
      return { period, id, count, inflow, outflow };
    })
    .toArray();
}

/** A field of the id is missing where the rows have none. */
interface Grouped extends Pick<GroupTotals, 'count' | 'inflow' | 'outflow'> {
  readonly _id: { readonly period?: string | null; readonly id?: string | null };
}

const FIRST_DAY = new Date('0001-01-01T00:00:00Z');
/** Places of successive days are so far apart (projections/place.ts). */
const PLACES_OF_DAY = firstPlaceOf('0001-01-02') - firstPlaceOf('0001-01-01');
const DATE = {
  $add: [FIRST_DAY, { $multiply: [{ $floor: { $divide: ['$place', PLACES_OF_DAY] } }, DAY_MS] }],
};
const PERIOD_FORMATS = { none: null, month: '%Y-%m', year: '%Y' } as const;

function groupStages({ group_by: groupBy, interval }: SumsQuery): Document[] {
  const kind = GROUPED_BY[groupBy];
  const field = kind === null ? null : `$${ROW_FIELDS[kind]}`;
  const format = PERIOD_FORMATS[interval];
  const period = format === null ? null : { $dateToString: { format, date: DATE } };
  return [
    ...(kind === 'labels' ? [{ $unwind: { path: field, preserveNullAndEmptyArrays: true } }] : []),
    {
      $group: {
        _id: { period, id: field },
        count: { $sum: 1 },
        inflow: { $sum: { $max: ['$amount', 0] } },
        outflow: { $sum: { $min: ['$amount', 0] } },
      },
    },
  ];
}
