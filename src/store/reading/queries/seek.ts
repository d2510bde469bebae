// Finds the place of a deep offset by stored counts, instead of skipping rows from the start
// (rules/projecting.md#seeking-a-page; pure).
import { endPlaceOf, firstPlaceOf, type Place } from '../../../../projections/place.ts';

/** Number of rows in a period. A period is the beginning of a date: `2024`, `2024-03` or `2024-03-05`. */
export interface PeriodCount {
  readonly period: string;
  readonly count: number;
}

/** The stored counts of one list of rows. Periods come newest first. */
export interface CountSource {
  /** Returns the long periods (years or months) with rows that begin on or before `end`. */
  coarse(end: string): Promise<readonly PeriodCount[]>;
  /** Returns the counts in one long period up to `end`, by shorter periods where such counts are stored. */
  countsIn(period: string, end: string): Promise<readonly PeriodCount[]>;
  /** Whether `countsIn` returns shorter periods. */
  readonly refines: boolean;
}

/** A page begins `skip` rows below `endPlace`. */
export interface PageStart {
  readonly endPlace: Place;
  readonly skip: number;
}

/** Returns the start of the page at an offset among the rows up to the date `end`; null beyond the last row. */
export async function pageStartOf(
  source: CountSource,
  end: string,
  offset: number,
): Promise<PageStart | null> {
  const [newest, ...older] = await source.coarse(end);
  if (newest === undefined) return null;
  const cut = endOfPeriod(newest.period) > endPlaceOf(end);
  const counts = cut
    ? [...(await source.countsIn(newest.period, end)), ...older]
    : [newest, ...older];
  const found = seek(counts, offset);
  if (found === null) return null;
  const isCoarse = found.period.length === newest.period.length;
  const exact =
    isCoarse && source.refines ? seek(await source.countsIn(found.period, end), found.skip) : found;
  if (exact === null)
    throw new Error(`Expected counts within ${found.period} to add up to its own`);
  const page = { endPlace: endOfPeriod(exact.period), skip: exact.skip };
  const endPlace = endPlaceOf(end);
  return page.endPlace < endPlace ? page : { ...page, endPlace };
}

/** Returns the period that contains the row at an offset, and the number of the period's rows before it. */
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

/** Returns periods newest first. `prefix` completes the keys of the record. */
export function newestFirst(
  counts: Readonly<Record<string, number>>,
  prefix = '',
): readonly PeriodCount[] {
  return Object.entries(counts)
    .map(([key, count]) => ({ period: prefix + key, count }))
    .sort(byPeriodDown);
}

export function byPeriodDown(a: PeriodCount, b: PeriodCount): number {
  return a.period < b.period ? 1 : -1;
}

/** Returns one above the highest place of a row in a period. */
export function endOfPeriod(period: string): Place {
  if (period.length === 10) return endPlaceOf(period);
  const year = period.slice(0, 4);
  const month = period.slice(5);
  if (month === '' || month === '12') return endPlaceOf(`${year}-12-31`);
  return firstPlaceOf(`${year}-${String(Number(month) + 1).padStart(2, '0')}-01`);
}

/** Returns whether a period begins on or before a date. */
export function beginsBy(period: string, date: string): boolean {
  return period <= date.slice(0, period.length);
}
