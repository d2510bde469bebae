// Months as numbers and times as shown, from the text alone.

/** `"0001-01"` is 12; the next month is one more. */
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

/** A time of an event as it is shown: always three digits of the second's fraction, cut (readings.md). */
export function shownTime(time: string): string {
  const [whole = '', fraction = ''] = time.slice(0, -1).split('.');
  return `${whole}.${`${fraction}000`.slice(0, 3)}Z`;
}
