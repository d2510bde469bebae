// Reads a page of sums, as they are served (docs/api.md, Sums): from stored sums where there are any. The rows of a few days,
// and those of filters that no stored sums answer, are added up in the store.
import type { Document } from 'mongodb';
import type { Part, SummedBy } from '../../../../projections/aggregates/month-sums.ts';
import { formatMoney } from '../../../../projections/money.ts';
import { compareCodePoints } from '../../../../projections/normalize-text.ts';
import { firstPlaceOf } from '../../../../projections/place.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type { Sum } from '../../../../schemas/generated/api.ts';
import type { SumsQuery } from '../../../../schemas/generated/queries.ts';
import { DAY_MS } from '../../../process/calendar.ts';
import { documentsOf } from '../../collections.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { StoredRow } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { byPeriodAndNet, createGroupedTotals, type GroupTotals, netOf } from './grouped-totals.ts';
import type { RoomySource } from './room.ts';
import { eachStoredTotals } from './stored-totals.ts';
import { type DateRange, GROUPED_BY, sumsSourceOf } from './sums-source.ts';
import { filtersOf, rowFilter, rowIndex } from './transaction-filter.ts';

/** The first version of the projections that stores sums by month. */
export const SUMS_VERSION_MIN = 5;

/** What a group in a period takes in memory, with its place in the maps. */
const GROUP_BYTES = 200;

/** `limit` and `offset` count sums, over all periods together. */
export async function readSums(source: RoomySource, query: SumsQuery): Promise<Sum[]> {
  const { reading, set, takeRoom } = source;
  const groupOf = await readGroups(reading, set, query);
  const totals = createGroupedTotals();
  await readTotals(reading, set, {
    query,
    visit: one => totals.add({ ...one, period: periodOf(one.period, query), id: groupOf(one.id) }),
    makeRoom: bytes => takeRoom(bytes + totals.size() * GROUP_BYTES),
  });
  takeRoom(totals.size() * GROUP_BYTES);
  const { groups, before } = totals.candidates(query);
  const names = await readNames(reading, set, { groupBy: query.group_by, groups });
  return groups
    .sort((a, b) => byPeriodAndNet(a, b) || names.compare(a.id, b.id))
    .slice(before, before + query.limit)
    .map(group => serve(group, names.of(group.id)));
}

/** Calls `visit` with parts of the totals, in no order. */
async function readTotals(
  reading: Reading,
  set: string,
  {
    query,
    visit,
    makeRoom,
  }: {
    readonly query: SumsQuery;
    readonly visit: (totals: GroupTotals) => void;
    readonly makeRoom: (bytes: number) => void;
  },
): Promise<void> {
  const { months, days } = sumsSourceOf(query);
  const isWanted = partFilter(query);
  await Promise.all([
    months && eachStoredTotals(reading, set, { months, isWanted, visit, makeRoom }),
    ...days.map(async range => {
      for (const one of await readRowTotals(reading, set, { query, range })) visit(one);
    }),
  ]);
}

/** Returns the totals of the rows between two dates that match a query's filters, by period and group. */
async function readRowTotals(
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
  const found = collections.rows.aggregate<Grouped>(stages, {
    ...options,
    ...ONE_REPLY,
    ...(hint && { hint }),
  });
  return await found
    .map(({ _id: { period = null, id = null }, count, inflow, outflow }) => {
      return { period, id, count, inflow, outflow };
    })
    .toArray();
}

/** The field of a row with the id of a thing. */
const ROW_FIELDS = {
  accounts: 'account',
  categories: 'category',
  payees: 'payee',
  labels: 'labels',
} as const satisfies Record<SummedBy, keyof StoredRow>;

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

function partFilter({ on_budget: wanted, transfers }: SumsQuery): (part: Part) => boolean {
  return ({ onBudget, isTransfer }) =>
    (wanted === undefined || onBudget === wanted) &&
    (transfers === 'include' || isTransfer === (transfers === 'only'));
}

/** Returns the period of a month, or of a period that rows were added up by. */
function periodOf(period: string | null, { interval }: SumsQuery): string | null {
  if (interval === 'none') return null;
  return interval === 'year' ? (period?.slice(0, 'YYYY'.length) ?? null) : period;
}

/** Returns a function from the thing that totals are of to its group, which is null for no thing. */
async function readGroups(
  { collections, options }: Reading,
  set: string,
  { group_by: groupBy }: SumsQuery,
): Promise<(id: string | null) => string | null> {
  if (groupBy === 'none') return () => null;
  if (groupBy !== 'categoryGroup') return id => id;
  const found = await collections.categories
    .find({ set }, { ...options, ...ONE_REPLY, projection: { _id: 0, id: 1, groupId: 1 } })
    .toArray();
  const groups = new Map(found.map(({ id, groupId }) => [id, groupId]));
  return id => (id === null ? null : (groups.get(id) ?? null));
}

interface Names {
  of(id: string | null): string | null;
  /** Orders by name key, then id, both by code point; null is last. */
  compare(a: string | null, b: string | null): number;
}

async function readNames(
  { collections, options }: Reading,
  set: string,
  {
    groupBy,
    groups,
  }: { readonly groupBy: SumsQuery['group_by']; readonly groups: readonly GroupTotals[] },
): Promise<Names> {
  const kind = groupBy === 'categoryGroup' ? 'groups' : GROUPED_BY[groupBy];
  const ids = new Set(groups.flatMap(({ id }) => id ?? []));
  const keys = [...ids].map(id => keyOf(set, id));
  const found =
    kind === null || keys.length === 0
      ? []
      : await documentsOf(collections, kind)
          .find({ _id: { $in: keys } }, { ...options, ...ONE_REPLY })
          .project<{ id: string; name: string; nameKey: string }>({ id: 1, name: 1, nameKey: 1 })
          .toArray();
  const names = new Map(found.map(named => [named.id, named]));
  const nameKeyOf = (id: string) => names.get(id)?.nameKey ?? '';
  return {
    of: id => (id === null ? null : (names.get(id)?.name ?? null)),
    compare(a, b) {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return compareCodePoints(nameKeyOf(a), nameKeyOf(b)) || compareCodePoints(a, b);
    },
  };
}

function serve(group: GroupTotals, name: string | null): Sum {
  const { period, id, inflow, outflow, count } = group;
  return {
    period,
    id,
    name,
    inflow: formatMoney(inflow),
    outflow: formatMoney(outflow),
    net: formatMoney(netOf(group)),
    count,
  };
}
