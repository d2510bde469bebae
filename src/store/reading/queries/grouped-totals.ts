// Totals by period and group, added up from parts, and their order (pure).
import { NO_TOTALS, type Totals } from '../../../../projections/aggregates/month-sums.ts';

/** A group in a period, with its totals. The group is null for rows without one. */
export interface GroupTotals extends Totals {
  /** Null where totals are of the whole time. */
  readonly period: string | null;
  readonly id: string | null;
}

export interface GroupedTotals {
  add(group: GroupTotals): void;
  all(): GroupTotals[];
}

export function createGroupedTotals(): GroupedTotals {
  const periods = new Map<string | null, Map<string | null, Totals>>();
  return {
    add({ period, id, count, inflow, outflow }) {
      const groups = periods.get(period) ?? new Map<string | null, Totals>();
      periods.set(period, groups);
      const before = groups.get(id) ?? NO_TOTALS;
      groups.set(id, {
        count: before.count + count,
        inflow: before.inflow + inflow,
        outflow: before.outflow + outflow,
      });
    },
    all: () =>
      [...periods].flatMap(([period, groups]) =>
        [...groups].map(([id, totals]) => ({ period, id, ...totals })),
      ),
  };
}

export function netOf({ inflow, outflow }: Totals): number {
  return inflow + outflow;
}

/** Orders by period, oldest first, then net, smallest first. */
export function byPeriodAndNet(a: GroupTotals, b: GroupTotals): number {
  if (a.period !== b.period) return (a.period ?? '') < (b.period ?? '') ? -1 : 1;
  return netOf(a) - netOf(b);
}

/**
 * Returns the groups that may stand on a page: those at its places, and all others that are equal in period and net to
 * the first or the last of these. Only names decide between equal ones. `sorted` is in the order of `byPeriodAndNet`.
 */
export function candidates(
  sorted: readonly GroupTotals[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { readonly groups: readonly GroupTotals[]; readonly before: number } {
  const isEqual = (a?: GroupTotals, b?: GroupTotals) => a && b && byPeriodAndNet(a, b) === 0;
  let start = Math.min(offset, sorted.length);
  let end = Math.min(offset + limit, sorted.length);
  if (start === end) return { groups: [], before: 0 };
  while (isEqual(sorted[start - 1], sorted[start])) start -= 1;
  while (isEqual(sorted[end - 1], sorted[end])) end += 1;
  return { groups: sorted.slice(start, end), before: offset - start };
}
