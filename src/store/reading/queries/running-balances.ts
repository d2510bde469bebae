// Adds up sums by month and by day to balances on some dates (pure).
import { lastDayOf, monthOf } from '../../../process/calendar.ts';

/** The two figures of a point: total and onBudget, or balance and nativeBalance. */
export interface Figures {
  readonly first: number;
  readonly second: number;
}

/** Sums by period: a date (`YYYY-MM-DD`) or a month (`YYYY-MM`). */
export type SumsByPeriod = ReadonlyMap<string, Figures>;

/** Returns the months whose days are needed: a point lies inside them, and not on their last day. */
export function monthsInDays(dates: readonly string[]): Set<string> {
  const inside = dates.filter(date => date !== lastDayOf(monthOf(date)));
  return new Set(inside.map(monthOf));
}

/**
 * Returns the figures up to each of the dates, which are in order. `sums` has each day of the months of `monthsInDays`,
 * and all other months as a whole.
 */
export function runningBalances(sums: SumsByPeriod, dates: readonly string[]): Figures[] {
  // A month sorts before its days. As a whole it counts from its first day on: its only point is its last day.
  const periods = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  let [first, second, next] = [0, 0, 0];
  return dates.map(date => {
    for (let period = periods[next]; period !== undefined; period = periods[next]) {
      if (period[0] > date) break;
      first += period[1].first;
      second += period[1].second;
      next += 1;
    }
    return { first, second };
  });
}
