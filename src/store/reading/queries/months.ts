// Reads the years of budget months, and makes the months as they are served (rules/api.md#month).
import { formatMoney } from '../../../../projections/money.ts';
import type { Month } from '../../../../schemas/generated/api.ts';
import type { Reading } from '../../snapshot.ts';
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
  reading: Reading,
  set: string,
  year: string,
): Promise<YearFigures | null> {
  return (await readYears(reading, set, { first: year, last: year }))[0] ?? null;
}

/** Returns the given months (`YYYY-MM`), which are consecutive and in order, and may lie before or after all data. */
export async function readMonths(
  reading: Reading,
  set: string,
  months: readonly string[],
): Promise<Month[]> {
  const [first = '', last = first] = [months[0], months.at(-1)].map(month => month?.slice(0, 4));
  const years = await readYears(reading, set, { first, last });
  return months.map(month =>
    servedMonthOf(years.find(({ id }) => id <= month.slice(0, 4)) ?? null, month),
  );
}

/** Returns the years that the months of some years need, the latest first. */
async function readYears(
  { collections, options }: Reading,
  set: string,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<YearFigures[]> {
  // The latest year up to the first one starts with the sums of all earlier ones.
  const needed = Number(last) - Number(first) + 1;
  return await collections.years
    .find({ set, id: { $lte: last } }, { ...options, projection: WITHOUT_DAYS })
    .sort({ set: 1, id: -1 })
    .limit(needed)
    .toArray();
}

/** Returns a month (`YYYY-MM`). `year` is what `readYear` returned for it. */
export function servedMonthOf(year: YearFigures | null, month: string): Month {
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
