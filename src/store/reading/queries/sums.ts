// Reads a page of sums, as they are served (docs/api.md, Sums): from stored sums where there are any, else from rows.
import type { Part } from '../../../../projections/aggregates/month-sums.ts';
import { formatMoney } from '../../../../projections/money.ts';
import { compareCodePoints } from '../../../../projections/normalize-text.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type { Sum } from '../../../../schemas/generated/api.ts';
import type { SumsQuery } from '../../../../schemas/generated/queries.ts';
import { documentsOf } from '../../collections.ts';
import type { Reading } from '../../snapshot.ts';
import {
  byPeriodAndNet,
  candidates,
  createGroupedTotals,
  type GroupTotals,
  netOf,
} from './grouped-totals.ts';
import { readRowTotals } from './row-totals.ts';
import { eachStoredTotals } from './stored-totals.ts';
import { GROUPED_BY, sumsSourceOf } from './sums-source.ts';

/** The first version of the projections that stores sums by month. */
export const SUMS_VERSION_MIN = 5;

/** `limit` and `offset` count sums, over all periods together. */
export async function readSums(reading: Reading, set: string, query: SumsQuery): Promise<Sum[]> {
  const [totals, groupOf] = await Promise.all([
    readTotals(reading, set, query),
    readGroups(reading, set, query),
  ]);
  const groups = createGroupedTotals();
  for (const one of totals) {
    const period = periodOf(one.period, query);
    groups.add({ ...one, period, id: groupOf(one.id) });
  }
  const { groups: possible, before } = candidates(groups.all().sort(byPeriodAndNet), query);
  const names = await readNames(reading, set, { groupBy: query.group_by, groups: possible });
  return [...possible]
    .sort((a, b) => byPeriodAndNet(a, b) || names.compare(a.id, b.id))
    .slice(before, before + query.limit)
    .map(group => serve(group, names.of(group.id)));
}

async function readTotals(
  reading: Reading,
  set: string,
  query: SumsQuery,
): Promise<readonly GroupTotals[]> {
  const { months, days } = sumsSourceOf(query);
  const all: GroupTotals[] = [];
  const isWanted = partFilter(query);
  const visit = (totals: GroupTotals) => void all.push(totals);
  const [ofDays] = await Promise.all([
    Promise.all(days.map(range => readRowTotals(reading, set, { query, range }))),
    months && eachStoredTotals(reading, set, { months, isWanted, visit }),
  ]);
  return [...all, ...ofDays.flat()];
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
    .find({ set }, { ...options, projection: { _id: 0, id: 1, groupId: 1 } })
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
          .find({ _id: { $in: keys } }, { ...options, batchSize: keys.length + 1 })
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
