// Months as numbers, and times as they are served, from the text alone.

/** Returns 12 for `"0001-01"`, and one more for each later month. */
export function monthIndex(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}

export function monthText(index: number): string {
  const year = String(Math.floor(index / 12)).padStart(4, '0');
  return `${year}-${String((index % 12) + 1).padStart(2, '0')}`;
}

export function monthOfDate(date: string): string {
  return date.slice(0, 7);
}

export function daysInMonth(month: string): number {
  const year = Number(month.slice(0, 4));
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return lengths[Number(month.slice(5, 7)) - 1] as number;
}

export function lastDayOf(month: string): string {
  return `${month}-${daysInMonth(month)}`;
}

/** Returns the served form of an event's time: always milliseconds, truncated (rules/api.md#dates-and-times). */
export function shownTime(time: string): string {
  const [whole = '', fraction = ''] = time.slice(0, -1).split('.');
  return `${whole}.${`${fraction}000`.slice(0, 3)}Z`;
}
