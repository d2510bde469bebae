// Finds the place of a deep offset by counts instead of skipping rows from the start (projections.md, pure).
import { endPlaceOf, firstPlaceOf, type Place } from '../../../projections/place.ts';

/** Rows in a period; a period is the beginning of a date: `2024`, `2024-03` or `2024-03-05`. */
export interface PeriodCount {
  readonly period: string;
  readonly count: number;
}

/** Where the counts of one list of rows come from; periods are listed newest first. */
export interface CountSource {
  /** The long periods that have rows, none of them wholly after `end`. */
  coarse(end: string): Promise<readonly PeriodCount[]>;
  /** What lies in one long period up to `end`, in shorter periods where they are counted. */
  within(period: string, end: string): Promise<readonly PeriodCount[]>;
  /** Whether `within` tells more about a period that `end` does not cut. */
  readonly refines: boolean;
}

/** A page begins `skip` rows below `endPlace`. */
export interface PageStart {
  readonly endPlace: Place;
  readonly skip: number;
}

/** Where the row of that offset is, among the rows up to the date `end`; null when there are not so many. */
export async function locate(
  source: CountSource,
  end: string,
  offset: number,
): Promise<PageStart | null> {
  const [newest, ...older] = await source.coarse(end);
  if (newest === undefined) return null;
  const cut = endOfPeriod(newest.period) > endPlaceOf(end);
  const counts = cut
    ? [...(await source.within(newest.period, end)), ...older]
    : [newest, ...older];
  const found = seek(counts, offset);
  if (found === null) return null;
  const isCoarse = found.period.length === newest.period.length;
  const exact =
    isCoarse && source.refines ? seek(await source.within(found.period, end), found.skip) : found;
  if (exact === null)
    throw new Error(`Expected counts within ${found.period} to add up to its own`);
  const page = { endPlace: endOfPeriod(exact.period), skip: exact.skip };
  const endPlace = endPlaceOf(end);
  return page.endPlace < endPlace ? page : { ...page, endPlace };
}

/** The period that holds the row of that offset, and how many of its rows come before; periods newest first. */
export function seek(
  periods: readonly PeriodCount[],
  offset: number,
): { period: string; skip: number } | null {
  let skip = offset;
  for (const { period, count } of periods) {
    if (skip < count) return { period, skip };
    skip -= count;
  }
  return null;
}

/** Periods newest first: `prefix` is what the keys of the record leave out. */
export function newestFirst(
  counts: Readonly<Record<string, number>>,
  prefix = '',
): readonly PeriodCount[] {
  return Object.entries(counts)
    .map(([key, count]) => ({ period: prefix + key, count }))
    .sort((a, b) => (a.period < b.period ? 1 : -1));
}

/** One above the highest place of a row in a period. */
export function endOfPeriod(period: string): Place {
  if (period.length === 10) return endPlaceOf(period);
  const year = period.slice(0, 4);
  const month = period.slice(5);
  if (month === '' || month === '12') return endPlaceOf(`${year}-12-31`);
  return firstPlaceOf(`${year}-${String(Number(month) + 1).padStart(2, '0')}-01`);
}

/** Whether a period begins on or before a date. */
export function beginsBy(period: string, date: string): boolean {
  return period <= date.slice(0, period.length);
}
