// Month increments of a budget that come from rows, in one document a year. projections/reconcile.ts adds those that
// come from envelopes.
import { dictionary } from '../dictionary.ts';
import type { InSet, MonthIncrements, Year, YearStart } from '../documents.ts';
import type { EditableDocuments, Tracked } from '../editable-documents.ts';
import { isUncategorized } from '../row.ts';
import { overRows, type Sign } from './aggregate.ts';
import { SUMMED_FIELDS, type SummedRow } from './row-sums.ts';

type Years = EditableDocuments<{ years: Year }>;

/** The increments whose sums a year starts from. */
export const STARTED_FROM = [
  'income',
  'assigned',
  'overspent',
  'cash',
  'internal',
  'uncategorized',
] as const satisfies readonly (keyof YearStart)[];

export const NO_EARLIER_YEARS: Readonly<YearStart> = {
  income: 0,
  assigned: 0,
  overspent: 0,
  cash: 0,
  internal: 0,
  uncategorized: 0,
};

export const yearMonths = overRows('years', SUMMED_FIELDS, {
  idOf: ({ date }) => date.slice(0, 4),
  take: takeRow,
});

function takeRow(documents: Years, row: SummedRow, sign: Sign): void {
  const entry = editYear(documents, row.set, row.date.slice(0, 4));
  const { document: year } = entry;
  const month = editMonth(entry, row.date.slice(5, 7));
  const day = row.date.slice(8);
  const rows = (month.days[day] ?? 0) + sign;
  if (rows === 0) delete month.days[day];
  else month.days[day] = rows;
  year.count += sign;
  if (!row.onBudget) return;
  const amount = sign * row.amount;
  month.cash += amount;
  if (row.internal) month.internal += amount;
  if (!isUncategorized(row)) return;
  month.uncategorized += amount;
  month.uncategorizedCount += sign;
}

/** Returns the year's document to change in place. */
export function editYear(documents: Years, set: string, id: string): Tracked<Year> {
  return documents.edit('years', { set, id }, copy);
}

function copy(stored: Year | null, { set, id }: InSet): Year {
  const { start = NO_EARLIER_YEARS, count = 0 } = stored ?? {};
  return { set, id, start, months: copyMonths(stored?.months), count };
}

/** Returns the month's increments to change in place; zeros for a new month. */
export function editMonth(entry: Tracked<Year>, month: string): MonthIncrements {
  const { months } = entry.document;
  const known = months[month];
  // Only the key matters; the old value is never read.
  entry.was('months', month, known ? {} : undefined);
  if (known) return known;
  const made: MonthIncrements = {
    income: 0,
    assigned: 0,
    overspent: 0,
    overspentCount: 0,
    cash: 0,
    internal: 0,
    uncategorized: 0,
    uncategorizedCount: 0,
    held: 0,
    days: dictionary(),
  };
  months[month] = made;
  return made;
}

/** Adds the increments of a month to the sums of earlier ones, in place. */
export function addMonth(sums: YearStart, increments: MonthIncrements): void {
  for (const field of STARTED_FROM) sums[field] += increments[field];
}

function copyMonths(stored?: Readonly<Year['months']>): Year['months'] {
  const months = dictionary(stored);
  for (const month in months) {
    const increments = months[month] as MonthIncrements;
    months[month] = { ...increments, days: dictionary(increments.days) };
  }
  return months;
}
