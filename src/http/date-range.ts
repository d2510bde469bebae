// The rule of endpoints with start_date and end_date.
import type { ParameterProblem } from './api-error.ts';

interface DateRange {
  readonly start_date?: string;
  readonly end_date?: string;
}

/** All dates have the same length, so they compare as strings. */
export function startsByEnd({
  start_date: start,
  end_date: end,
}: DateRange): ParameterProblem | null {
  if (start === undefined || end === undefined || start <= end) return null;
  const message = `Expected end_date not to be before start_date (${start}), got ${end}`;
  return { param: 'end_date', code: 'invalid_parameter', message };
}
