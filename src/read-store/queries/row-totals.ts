// Adds up rows in the store: those of a few days, and those of filters that no stored sums answer.
import type { Document, Filter } from 'mongodb';
import type { SummedBy } from '../../../projections/aggregates/month-sums.ts';
import { endPlaceOf, firstPlaceOf } from '../../../projections/place.ts';
import type { SumsQuery } from '../../../schemas/generated/queries.ts';
import {
  BY_ACCOUNT,
  BY_CATEGORY,
  BY_LABEL,
  BY_PAYEE,
  BY_PLACE,
  type StoredRow,
} from '../row-codec.ts';
import type { Reading } from '../snapshot.ts';
import type { GroupTotals } from './grouped-totals.ts';
import { type DateRange, GROUPED_BY, thingFilters } from './sums-source.ts';

/** The field of a row with the id of a thing, and the index that leads from one thing to its rows in order of dates. */
const ROW_FIELDS: {
  readonly [K in SummedBy]: { readonly field: keyof StoredRow; readonly index: Document };
} = {
  accounts: { field: 'account', index: BY_ACCOUNT },
  categories: { field: 'category', index: BY_CATEGORY },
  payees: { field: 'payee', index: BY_PAYEE },
  labels: { field: 'labels', index: BY_LABEL },
};

/** Returns the totals of the rows between two dates that match a query's filters, by period and group. */
export async function readRowTotals(
  { collections, options }: Reading,
  set: string,
  { query, range }: { readonly query: SumsQuery; readonly range: DateRange },
): Promise<GroupTotals[]> {
  const hint = indexFor(query);
  const stages = [{ $match: rowsOf(set, query, range) }, ...groupStages(query)];
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

function rowsOf(set: string, query: SumsQuery, { from, to }: DateRange): Filter<StoredRow> {
  const place = {
    ...(from !== undefined && { $gte: firstPlaceOf(from) }),
    ...(to !== undefined && { $lt: endPlaceOf(to) }),
  };
  const things = thingFilters(query).map(({ kind, id }) => [ROW_FIELDS[kind].field, id] as const);
  const { on_budget: onBudget, transfers } = query;
  return {
    set,
    ...(Object.keys(place).length > 0 && { place }),
    ...Object.fromEntries(things),
    ...(onBudget !== undefined && { onBudget }),
    ...(transfers !== 'include' && { transfer: { $exists: transfers === 'only' } }),
  };
}

/** Returns the index to use, undefined where the store finds the narrowest one of several. */
function indexFor(query: SumsQuery): Document | undefined {
  const [filter, ...more] = thingFilters(query);
  if (filter === undefined) return BY_PLACE;
  return more.length > 0 ? undefined : ROW_FIELDS[filter.kind].index;
}

const FIRST_DAY = new Date('0001-01-01T00:00:00Z');
const DAY_MS = 86_400_000;
/** Places of successive days are so far apart (projections/place.ts). */
const PLACES_OF_DAY = firstPlaceOf('0001-01-02') - firstPlaceOf('0001-01-01');
const DATE = {
  $add: [FIRST_DAY, { $multiply: [{ $floor: { $divide: ['$place', PLACES_OF_DAY] } }, DAY_MS] }],
};
const PERIOD_FORMATS = { none: null, month: '%Y-%m', year: '%Y' } as const;

function groupStages({ group_by: groupBy, interval }: SumsQuery): Document[] {
  const kind = GROUPED_BY[groupBy];
  const field = kind === null ? null : `$${ROW_FIELDS[kind].field}`;
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
