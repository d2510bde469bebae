// Arithmetic on dates written YYYY-MM-DD and months written YYYY-MM.

export const DAY_MS = 86_400_000;

export function addDays(date: string, days: number): string {
  return utcDate(new Date(Date.parse(date) + days * DAY_MS));
}

export function addMonths(month: string, months: number): string {
  const count = monthNumber(month) + months;
  return `${pad(Math.floor(count / 12), 4)}-${pad((count % 12) + 1, 2)}`;
}

/** Returns that day of the month, or its last day if the month is shorter. */
export function dayOf(month: string, day: number): string {
  return `${month}-${pad(Math.min(day, daysIn(month)), 2)}`;
}

export function lastDayOf(month: string): string {
  return `${month}-${daysIn(month)}`;
}

/** Returns the months from one to another, both included. */
export function monthsFrom(first: string, last: string): string[] {
  const count = monthsBetween(first, last) + 1;
  return Array.from({ length: count }, (_, index) => addMonths(first, index));
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** Returns the months from 0000-01 to a month. */
export function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}

/** Whole months from one month to another. */
export function monthsBetween(from: string, to: string): number {
  return monthNumber(to) - monthNumber(from);
}

/** Returns the date of a moment in UTC. */
export function utcDate(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function daysIn(month: string): number {
  // The calendar repeats every 400 years; Date takes years below 100 for those of the 20th century.
  const year = 2000 + (Number(month.slice(0, 4)) % 400);
  return new Date(Date.UTC(year, Number(month.slice(5, 7)), 0)).getUTCDate();
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
