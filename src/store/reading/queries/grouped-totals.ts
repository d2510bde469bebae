// Totals by period and group, added up from parts, and their order (pure).
import { NO_TOTALS, type Totals } from '../../../../projections/aggregates/month-sums.ts';
import type { PageRange } from './named.ts';

/** A group in a period, with its totals. The group is null for rows without one. */
export interface GroupTotals extends Totals {
  /** Null where totals are of the whole time. */
  readonly period: string | null;
  readonly id: string | null;
}

type Sums = { -readonly [F in keyof Totals]: number };

export interface GroupedTotals {
  add(group: GroupTotals): void;
  /** The number of groups, in all periods. */
  size(): number;
  /**
   * Returns the groups that may stand on a page in the order of `byPeriodAndNet`: those at its places, and all others that
   * are equal in period and net to the first or the last of these, because only names decide between equal ones. The page
   * begins behind the first `before` of them.
   */
  candidates(page: PageRange): { readonly groups: GroupTotals[]; readonly before: number };
}

export function createGroupedTotals(): GroupedTotals {
  const periods = new Map<string | null, Map<string | null, Sums>>();
  return {
    size: () => [...periods.values()].reduce((sum, groups) => sum + groups.size, 0),
    add({ period, id, count, inflow, outflow }) {
      const groups = periods.get(period) ?? new Map<string | null, Sums>();
      periods.set(period, groups);
      const totals = groups.get(id) ?? { ...NO_TOTALS };
      groups.set(id, totals);
      totals.count += count;
      totals.inflow += inflow;
      totals.outflow += outflow;
    },
    candidates({ limit, offset }) {
      const found: GroupTotals[][] = [];
      let before = 0;
      let place = 0;
      // Periods that the page does not touch may have very many groups: these need no order.
      for (const [period, groups] of [...periods].sort(([a], [b]) => comparePeriods(a, b))) {
        const [from, to] = [
          Math.max(0, offset - place),
          Math.min(groups.size, offset + limit - place),
        ];
        place += groups.size;
        if (from >= to) continue;
        const sorted = [...groups].map(([id, totals]) => ({ period, id, ...totals })).sort(byNet);
        const [start, end] = withEquals(sorted, from, to);
        if (found.length === 0) before = from - start;
        found.push(sorted.slice(start, end));
      }
      return { groups: found.flat(), before };
    },
  };
}

/** Widens a part of the sorted groups by those that are equal in net to its first or its last one. */
function withEquals(sorted: readonly GroupTotals[], from: number, to: number): [number, number] {
  const net = (place: number) => sorted[place] && netOf(sorted[place]);
  let [start, end] = [from, to];
  while (start > 0 && net(start - 1) === net(start)) start -= 1;
  while (end < sorted.length && net(end) === net(end - 1)) end += 1;
  return [start, end];
}

export function netOf({ inflow, outflow }: Totals): number {
  return inflow + outflow;
}

/** Orders by period, oldest first, then net, smallest first. */
export function byPeriodAndNet(a: GroupTotals, b: GroupTotals): number {
  return a.period === b.period ? byNet(a, b) : comparePeriods(a.period, b.period);
}

function byNet(a: Totals, b: Totals): number {
  return netOf(a) - netOf(b);
}

function comparePeriods(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : 1;
}
