// The rules of endpoints with a range: of months, of dates, of amounts.
import { monthsBetween, monthsFrom } from '../process/calendar.ts';
import { badParameters, type ParameterProblem } from './api-error.ts';

/** Endpoints with start_month and end_month: the months of the range, either end of which may be `current`. */
interface MonthRange {
  readonly start_month: string;
  readonly end_month: string;
}

const CURRENT = 'current';

export interface RangeOfMonths {
  /** The rule: the range starts by its end and is not too long. */
  checkRange(values: Partial<MonthRange>, today: string): ParameterProblem | null;
  /** Returns what the range depends on besides its parameters: the month of today, or nothing. */
  dependsOn(query: MonthRange, today: string): readonly string[];
  /**
   * Returns the months, oldest first.
   *
   * @throws ApiError 400 if the range became impossible since it was checked, because a month ended meanwhile
   */
  months(query: MonthRange, today: string): string[];
}

/** `monthsMax` is the number of months that a range may have. */
export function rangeOfMonths(monthsMax: number): RangeOfMonths {
  function checkRange(
    { start_month: start, end_month: end }: Partial<MonthRange>,
    today: string,
  ): ParameterProblem | null {
    if (start === undefined || end === undefined) return null;
    const months = monthsBetween(monthOf(start, today), monthOf(end, today)) + 1;
    const [from, to] = [shown(start, today), shown(end, today)];
    if (months < 1) {
      return badEnd(`Expected end_month not to be before start_month (${from}), got ${to}`);
    }
    if (months <= monthsMax) return null;
    const range = `from start_month (${from}) to end_month (${to})`;
    return badEnd(`Expected at most ${monthsMax} months ${range}, got ${months}`);
  }

  return {
    checkRange: checkRange,
    dependsOn: ({ start_month: start, end_month: end }, today) =>
      start === CURRENT || end === CURRENT ? [monthOf(CURRENT, today)] : [],
    months(query, today) {
      const problem = checkRange(query, today);
      if (problem !== null) throw badParameters([problem]);
      return monthsFrom(monthOf(query.start_month, today), monthOf(query.end_month, today));
    },
  };
}

function monthOf(value: string, today: string): string {
  return value === CURRENT ? today.slice(0, 7) : value;
}

function shown(value: string, today: string): string {
  return value === CURRENT ? `${CURRENT}, ${monthOf(value, today)}` : value;
}

function badEnd(message: string): ParameterProblem {
  return { param: 'end_month', code: 'invalid_parameter', message };
}

/** The rule of endpoints with start_date and end_date. */
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

/** The rule of endpoints with min_amount and max_amount. */
interface AmountRange {
  readonly min_amount?: string;
  readonly max_amount?: string;
}

export function minByMax({
  min_amount: min,
  max_amount: max,
}: AmountRange): ParameterProblem | null {
  if (min === undefined || max === undefined || hundredths(min) <= hundredths(max)) return null;
  const message = `Expected max_amount not to be below min_amount (${min}), got ${max}`;
  return { param: 'max_amount', code: 'invalid_parameter', message };
}

/** Exact: the schema allows money only up to 2^51 hundredths. */
function hundredths(money: string): number {
  return Number(money.replace('.', ''));
}
