// Euros for one dollar on a date: invented, but the same for everybody and with four decimals.
import type { Hundredths } from '../../projections/documents.ts';
import { dayNumber } from '../../projections/place.ts';

const SCALE = 10_000;
const LOWEST = 8_900;
const SWING_DAYS = 400;

export function exchangeRate(date: string): number {
  return scaledRate(date) / SCALE;
}

/** Rounded half away from zero. */
export function toBudgetCurrency(native: Hundredths, date: string): Hundredths {
  return Math.sign(native) * Math.round((Math.abs(native) * scaledRate(date)) / SCALE);
}

/** What buys so much of the budget's currency, nearly. */
export function toNativeCurrency(amount: Hundredths, date: string): Hundredths {
  return Math.sign(amount) * Math.round((Math.abs(amount) * SCALE) / scaledRate(date));
}

/** A slow swing up and down, with a little unrest. */
function scaledRate(date: string): number {
  const day = dayNumber(date);
  const swing = Math.abs((day % (2 * SWING_DAYS)) - SWING_DAYS);
  return LOWEST + swing + ((day * 7) % 23);
}
