// Reads the year of a budget month, and makes the month as it is served (read-api-v1.md, Month).
import { formatMoney } from '../../../projections/money.ts';
import type { Month } from '../../../schemas/generated/api.ts';
import type { Reading } from '../snapshot.ts';
import { monthFigures, type YearFigures } from './month-figures.ts';

// The counts of days are the larger part of a year, and are not needed here.
const WITHOUT_DAYS = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [
    `months.${String(index + 1).padStart(2, '0')}.days`,
    0 as const,
  ]),
);

/** Returns the figures that answer every month of a year (`YYYY`); null before the first data. */
export async function readYear(
  { collections, options }: Reading,
  set: string,
  year: string,
): Promise<YearFigures | null> {
  const found = await collections.years
    .find({ set, id: { $lte: year } }, { ...options, projection: WITHOUT_DAYS })
    .sort({ set: 1, id: -1 })
    .limit(1)
    .toArray();
  return found[0] ?? null;
}

/** Returns a month (`YYYY-MM`), which may lie before or after all data. `year` is what `readYear` returned for it. */
export function monthOf(year: YearFigures | null, month: string): Month {
  const figures = monthFigures(year, month);
  return {
    month,
    readyToAssign: formatMoney(figures.readyToAssign),
    assigned: formatMoney(figures.assigned),
    cashBalance: formatMoney(figures.cashBalance),
    overspentTotal: formatMoney(figures.overspentTotal),
    overspentCount: figures.overspentCount,
    uncategorizedCount: figures.uncategorizedCount,
    heldForNextMonth: formatMoney(figures.heldForNextMonth),
  };
}
