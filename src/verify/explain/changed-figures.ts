// What differs between the figures before an event and after it. Pure.
import type { Hundredths } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import { addMonths } from '../../process/calendar.ts';
import { type Figure, figuresOf, LAST_MONTH, type ServedDocuments, telling } from './figures.ts';

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
  const months = telling([before, after]);
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
  const places = new Map(months.map((month, place) => [month, place]));
  /** For each figure its newest range and the place after it. */
  const open = new Map<string, { readonly at: number; readonly place: number }>();
  for (const one of changed) {
    const { of, name, month } = (one.after ?? one.before) as Figure;
    const [before, after] = [one.before?.text ?? null, one.after?.text ?? null];
    const change = { of, figure: name, before, after, by: difference(one) };
    if (month === null) {
      ranges.push({ ...change, month, until: null });
      continue;
    }
    const key = `${of} ${name}`;
    const place = places.get(month) ?? 0;
    const until = untilOf(months, place);
    const last = open.get(key);
    const range = last?.place === place ? ranges[last.at] : undefined;
    const isContinued = last && range && isSame(range, change);
    if (isContinued) ranges[last.at] = { ...range, until };
    const at = isContinued ? last.at : ranges.push({ ...change, month, until }) - 1;
    open.set(key, { at, place: place + 1 });
  }
  return ranges;
}

/** Returns the last month whose figures are those of the month at a place; null where they are those of all later ones. */
function untilOf(months: readonly string[], place: number): string | null {
  const next = months[place + 1];
  if (next !== undefined) return addMonths(next, -1);
  return months[place] === LAST_MONTH ? LAST_MONTH : null;
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
