// Reads one budget month, as it is served (read-api-v1.md, Month).
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

/** Returns a month (`YYYY-MM`), which may lie before or after all data. */
export async function readMonth(
  { collections, options }: Reading,
  set: string,
  month: string,
): Promise<Month> {
  const found = await collections.years
    .find({ set, id: { $lte: month.slice(0, 4) } }, { ...options, projection: WITHOUT_DAYS })
    .sort({ set: 1, id: -1 })
    .limit(1)
    .toArray();
  const year: YearFigures | undefined = found[0];
  const figures = monthFigures(year ?? null, month);
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
