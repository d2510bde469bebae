// What differs between the figures before an event and after it. Pure.
import type { Hundredths } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import { addMonths, monthsBetween } from '../../process/calendar.ts';
import {
  type Figure,
  figureMonths,
  figuresOf,
  LAST_MONTH,
  type ServedDocuments,
} from './figures.ts';

/** A figure that an event changed, or the same change of a figure in consecutive months. */
export interface FigureChange {
  /** What it belongs to, such as `envelope groceries`. */
  readonly of: string;
  readonly figure: string;
  /** `YYYY-MM`; null for a figure that has no month. */
  readonly month: string | null;
  /** The last month of a change that is the same in several; null where it is the same in all later months. */
  readonly until: string | null;
  /** In the first month; null where there was none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Money; null for a figure that is none, or that appeared or went. */
  readonly by: string | null;
}

interface Changed {
  readonly before: Figure | undefined;
  readonly after: Figure | undefined;
}

export function changedFigures(before: ServedDocuments, after: ServedDocuments): FigureChange[] {
  const months = figureMonths([before, after]);
  const figures = new Map<string, Changed>();
  for (const one of figuresOf(before, months)) {
    figures.set(keyOf(one), { before: one, after: undefined });
  }
  for (const one of figuresOf(after, months)) {
    const key = keyOf(one);
    const known = figures.get(key)?.before;
    if (known?.text === one.text) figures.delete(key);
    else if (known || !isNothing(one)) figures.set(key, { before: known, after: one });
  }
  const changed = [...figures.values()].filter(
    ({ before: was, after: is }) => is !== undefined || (was !== undefined && !isNothing(was)),
  );
  return inRanges(changed, months);
}

/** A month's 0.00 says nothing where there was no figure. */
function isNothing({ month, amount, text }: Figure): boolean {
  return month !== null && (amount === 0 || text === '0' || text === 'false');
}

function keyOf({ of, name, month }: Figure): string {
  return JSON.stringify([of, name, month]);
}

/** Joins consecutive months in which a figure changed in the same way. */
function inRanges(changed: readonly Changed[], months: readonly string[]): FigureChange[] {
  const ranges: FigureChange[] = [];
  const ends = new Map(months.map((month, place) => [month, endOf(month, months[place + 1])]));
  /** The place of the newest range of each figure. */
  const open = new Map<string, number>();
  for (const one of changed) {
    const { of, name, month } = (one.after ?? one.before) as Figure;
    const [before, after] = [one.before?.text ?? null, one.after?.text ?? null];
    const change = { of, figure: name, before, after, by: difference(one) };
    const until = month === null ? null : (ends.get(month) ?? null);
    const key = `${of} ${name}`;
    const at = open.get(key);
    const range = at === undefined ? undefined : ranges[at];
    const isNext =
      month !== null && range?.until != null && monthsBetween(range.until, month) === 1;
    if (at !== undefined && range && isNext && isSame(range, change)) {
      ranges[at] = { ...range, until };
      continue;
    }
    open.set(key, ranges.length);
    ranges.push({ ...change, month, until });
  }
  return ranges;
}

/** Returns the last month whose figures are those of a month, before the next one; null where all later months have them. */
function endOf(month: string, next: string | undefined): string | null {
  if (next !== undefined) return addMonths(next, -1);
  return month === LAST_MONTH ? month : null;
}

type Change = Pick<FigureChange, 'before' | 'after' | 'by'>;

function isSame(one: Change, other: Change): boolean {
  if (one.by !== null) return one.by === other.by;
  return other.by === null && one.before === other.before && one.after === other.after;
}

function difference({ before, after }: Changed): string | null {
  const [was, is]: (Hundredths | null | undefined)[] = [before?.amount, after?.amount];
  if (was === null || is === null || (was === undefined && is === undefined)) return null;
  return formatMoney((is ?? 0) - (was ?? 0));
}
