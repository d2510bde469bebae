// What differs between the figures before an event and after it. Pure.
import type { Hundredths } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import { monthsBetween } from '../../process/calendar.ts';
import { type Figure, figuresOf, type ServedDocuments, spanOf } from './figures.ts';

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
  const spans = [spanOf(before), spanOf(after)].filter(span => span !== null);
  const first = spans.map(span => span.first).sort()[0];
  const last = spans
    .map(span => span.last)
    .sort()
    .at(-1);
  const span = first === undefined || last === undefined ? null : { first, last };
  const figures = new Map<string, Changed>();
  for (const one of figuresOf(before, span)) {
    figures.set(keyOf(one), { before: one, after: undefined });
  }
  for (const one of figuresOf(after, span)) {
    const key = keyOf(one);
    const known = figures.get(key)?.before;
    if (known?.text === one.text) figures.delete(key);
    else if (known || !isNothing(one)) figures.set(key, { before: known, after: one });
  }
  const changed = [...figures.values()].filter(
    ({ before: was, after: is }) => is !== undefined || (was !== undefined && !isNothing(was)),
  );
  return inRanges(changed, span?.last ?? null);
}

/** A month's 0.00 says nothing where there was no figure. */
function isNothing({ month, amount, text }: Figure): boolean {
  return month !== null && (amount === 0 || text === '0' || text === 'false');
}

function keyOf({ of, name, month }: Figure): string {
  return JSON.stringify([of, name, month]);
}

/** Joins consecutive months in which a figure changed by the same amount. */
function inRanges(changed: readonly Changed[], last: string | null): FigureChange[] {
  const ranges: FigureChange[] = [];
  const open = new Map<string, number>();
  for (const one of changed) {
    const { of, name, month } = (one.after ?? one.before) as Figure;
    const by = difference(one);
    const key = `${of} ${name}`;
    const at = open.get(key);
    const range = at === undefined ? undefined : ranges[at];
    const isNext =
      month !== null && range?.until != null && monthsBetween(range.until, month) === 1;
    if (at !== undefined && range && isNext && by !== null && range.by === by) {
      ranges[at] = { ...range, until: month };
      continue;
    }
    open.set(key, ranges.length);
    const [before, after] = [one.before?.text ?? null, one.after?.text ?? null];
    ranges.push({ of, figure: name, month, until: month, before, after, by });
  }
  return ranges.map(range =>
    range.month !== null && range.until === last ? { ...range, until: null } : range,
  );
}

function difference({ before, after }: Changed): string | null {
  const [was, is]: (Hundredths | null | undefined)[] = [before?.amount, after?.amount];
  if (was === null || is === null || (was === undefined && is === undefined)) return null;
  return formatMoney((is ?? 0) - (was ?? 0));
}
