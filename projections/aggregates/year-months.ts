// Month increments of a budget that come from rows, in documents a year. What comes from envelopes is added
// when a chunk is settled (projections/settle.ts).
import { dictionary } from '../dictionary.ts';
import type { MonthIncrements, Row, Year, YearStart } from '../documents.ts';
import { isUncategorized } from '../row.ts';
import type { Tracked, WorkingSet } from '../working-set.ts';

export const NOTHING_BEFORE: YearStart = {
  income: 0,
  assigned: 0,
  overspent: 0,
  cash: 0,
  internal: 0,
  uncategorized: 0,
};

export function yearMonths(documents: WorkingSet, row: Row, sign: 1 | -1): void {
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

/** The year's document, free to be changed in place. */
export function editYear(documents: WorkingSet, set: string, id: string): Tracked<'years'> {
  return documents.edit('years', set, id, stored => ({
    set,
    id,
    start: stored?.start ?? NOTHING_BEFORE,
    months: copyMonths(stored?.months),
    count: stored?.count ?? 0,
  }));
}

/** The month's increments, made of zeros where there were none. */
export function editMonth(entry: Tracked<'years'>, month: string): MonthIncrements {
  const { months } = entry.document;
  const known = months[month];
  // What stood in it nobody asks for.
  entry.was(`months.${month}`, known ? {} : undefined);
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

function copyMonths(stored?: Readonly<Year['months']>): Year['months'] {
  const months = dictionary(stored);
  for (const month in months) {
    const increments = months[month] as MonthIncrements;
    months[month] = { ...increments, days: dictionary(increments.days) };
  }
  return months;
}
