// Money at the edges: decimal text to integer hundredths and back. The only file that uses big.js.
import createBig, { type Big as BigNumber } from 'big.js';
import type { Hundredths } from './documents.ts';

// A constructor of our own: strict mode refuses JavaScript numbers as input, which could be floats.
const Big = createBig();
Big.strict = true;

const HUNDREDTH: BigNumber = new Big('0.01');

/** The money guard of decisions.md: what a budget's absolute amounts may add up to, in hundredths. */
export const MONEY_MAX: Hundredths = 2 ** 51;

/** Hundredths of a decimal text with two fraction digits; the schemas have checked its form. */
export function parseMoney(text: string): Hundredths {
  const hundredths = new Big(text).times('100').toFixed(0);
  const amount = Number(hundredths);
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Money out of range: ${text}`);
  return amount === 0 ? 0 : amount;
}

/** Decimal text in major units with two fraction digits, never `-0.00` (read-api-v1.md, convention 1). */
export function formatMoney(amount: Hundredths): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Not whole hundredths: ${amount}`);
  return new Big(String(amount)).times(HUNDREDTH).toFixed(2);
}
