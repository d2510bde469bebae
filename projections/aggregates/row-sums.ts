// Sums over the rows of an account in a period: the arithmetic that days, months and totals share.
import type { Row, RowSums } from '../documents.ts';

export const NO_SUMS: Readonly<RowSums> = { count: 0, cleared: 0, uncleared: 0, native: 0 };

/** The sums with a row taken in (`sign` 1) or out (−1). */
export function withRow(sums: Readonly<RowSums>, row: Row, sign: 1 | -1): RowSums {
  const amount = sign * row.amount;
  return {
    count: sums.count + sign,
    cleared: sums.cleared + (row.cleared ? amount : 0),
    uncleared: sums.uncleared + (row.cleared ? 0 : amount),
    native: sums.native + sign * (row.amountNative ?? 0),
  };
}

/** The greatest key of a record, by code point; null when it is empty. */
export function lastKey(record: Readonly<Record<string, unknown>>): string | null {
  let last: string | null = null;
  for (const key in record) if (last === null || key > last) last = key;
  return last;
}
