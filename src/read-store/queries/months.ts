// Reads budget months, as they are served (read-api-v1.md, Month).
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
export async function readMonth(reading: Reading, set: string, month: string): Promise<Month> {
  return toAnswer(await readYears(reading, set, { first: month, last: month }), month);
}

/** Returns the given months, which are consecutive and in order. */
export async function readMonths(
  reading: Reading,
  set: string,
  months: readonly string[],
): Promise<Month[]> {
  const [first = '', last = first] = [months[0], months.at(-1)];
  const years = await readYears(reading, set, { first, last });
  return months.map(month => toAnswer(years, month));
}

/** Returns the years that the months of a range need, the latest first. */
async function readYears(
  { collections, options }: Reading,
  set: string,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<YearFigures[]> {
  const [from, to] = [first.slice(0, 4), last.slice(0, 4)];
  // The latest year up to the range's first one starts with the sums of all earlier ones.
  const needed = Number(to) - Number(from) + 1;
  return await collections.years
    .find({ set, id: { $lte: to } }, { ...options, projection: WITHOUT_DAYS })
    .sort({ set: 1, id: -1 })
    .limit(needed)
    .toArray();
}

function toAnswer(years: readonly YearFigures[], month: string): Month {
  const year = years.find(({ id }) => id <= month.slice(0, 4));
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
