// The rule of endpoints with min_amount and max_amount.
import type { ParameterProblem } from './api-error.ts';

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
