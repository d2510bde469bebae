// The time that random budgets cover: 14 months around a fixed day.

/** Actual shows months from three before the first transaction to a year after this day. */
export const TODAY = '2026-03-15';
export const NOW = `${TODAY}T12:00:00.000Z`;
/** The date of the first transaction of every budget, which stays there: Actual ignores amounts of earlier months. */
export const FIRST_DAY = '2025-07-01';
export const LAST_DAY = '2026-08-31';

/** Returns the date that follows `FIRST_DAY` by a number of days. */
export function dayAfterFirst(days: number): string {
  return new Date(Date.parse(FIRST_DAY) + days * 86_400_000).toISOString().slice(0, 10);
}

export const DAYS = (Date.parse(LAST_DAY) - Date.parse(FIRST_DAY)) / 86_400_000;
