// Arithmetic on dates written YYYY-MM-DD and months written YYYY-MM.

const DAY_MS = 86_400_000;

export function addDays(date: string, days: number): string {
  return isoDate(Date.parse(date) + days * DAY_MS);
}

export function addMonths(month: string, months: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + months;
  return `${pad(Math.floor(count / 12), 4)}-${pad((count % 12) + 1, 2)}`;
}

/** Returns that day of the month, or its last day if the month is shorter. */
export function dayOf(month: string, day: number): string {
  if (day <= 28) return `${month}-${pad(day, 2)}`;
  const last = Number(addDays(`${addMonths(month, 1)}-01`, -1).slice(8));
  return `${month}-${pad(Math.min(day, last), 2)}`;
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** Whole months from one month to another. */
export function monthsBetween(from: string, to: string): number {
  const count = (month: string): number =>
    Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));
  return count(to) - count(from);
}

function isoDate(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
