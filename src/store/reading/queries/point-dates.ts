// The dates of balances over time (pure).
import { dayNumber } from '../../../../projections/place.ts';
import {
  addDays,
  lastDayOf,
  monthOf,
  monthsBetween,
  monthsFrom,
} from '../../../process/calendar.ts';

export interface Points {
  /** Both are dates; the start is not after the end. */
  readonly start: string;
  readonly end: string;
  /** Every day, every Sunday, or the last day of every month; the end is a point in any case. */
  readonly interval: 'day' | 'week' | 'month';
}

export function countPoints({ start, end, interval }: Points): number {
  if (interval === 'month') return monthsBetween(start, end) + 1;
  const { first, step } = regularDays(start, interval);
  return Math.ceil((dayNumber(end) - first) / step) + 1;
}

/** Returns the dates, oldest first. */
export function pointDates(points: Points): string[] {
  const { start, end, interval } = points;
  if (interval === 'month') {
    const before = monthsFrom(monthOf(start), monthOf(end)).slice(0, -1);
    return [...before.map(lastDayOf), end];
  }
  const [from, to] = [dayNumber(start), dayNumber(end)];
  const { first, step } = regularDays(start, interval);
  return Array.from({ length: countPoints(points) }, (_, index) =>
    addDays(start, Math.min(first + index * step, to) - from),
  );
}

const WEEK_DAYS = 7;
/** Day 0, 0001-01-01, is a Monday. */
const SUNDAY = 6;

/** Returns the number of the first regular point's day, and the days from one to the next. */
function regularDays(start: string, interval: 'day' | 'week'): { first: number; step: number } {
  const day = dayNumber(start);
  if (interval === 'day') return { first: day, step: 1 };
  return { first: day + SUNDAY - (day % WEEK_DAYS), step: WEEK_DAYS };
}
