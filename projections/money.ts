// Money at the edges: decimal text to integer hundredths and back. The only file that uses big.js.
import createBig from 'big.js';
import type { Hundredths } from './documents.ts';

// A constructor apart from the default one: strict mode refuses JavaScript numbers, which could be floats. An exponent in
// the text moves the point, so that no product is needed.
const Big = createBig();
Big.strict = true;

/**
 * The money guard (rules/events.md#the-money-guard): the highest sum of a budget's absolute amounts. An event beyond it
 * is invalid.
 */
export const MONEY_MAX: Hundredths = 2 ** 51;

/**
 * Returns the hundredths of a decimal text with two fraction digits; the schemas have checked its form.
 *
 * @throws RangeError when they exceed the safe integers
 */
export function parseMoney(text: string): Hundredths {
  const amount = Number(new Big(`${text}e2`).toFixed(0));
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Money out of range: ${text}`);
  return amount === 0 ? 0 : amount;
}

/**
 * Returns decimal text in major units with two fraction digits, never `-0.00` (rules/api.md#money).
 *
 * @throws RangeError when the amount is not a safe integer
 */
export function formatMoney(amount: Hundredths): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Not whole hundredths: ${amount}`);
  return new Big(`${amount}e-2`).toFixed(2);
}
