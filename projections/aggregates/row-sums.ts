// Sums over the rows of an account in a period: the arithmetic that days, months and totals share.
import type { Row, RowSums } from '../documents.ts';
import type { RowPart, Sign } from './aggregate.ts';

/** The fields of a row that sums and counts depend on. */
export const SUMMED_FIELDS = [
  'amount',
  'amountNative',
  'date',
  'accountId',
  'categoryId',
  'cleared',
  'onBudget',
  'internal',
] as const satisfies readonly (keyof Row)[];

export type SummedRow = RowPart<(typeof SUMMED_FIELDS)[number]>;

export const NO_SUMS: Readonly<RowSums> = { count: 0, cleared: 0, uncleared: 0, native: 0 };

/** Returns the sums with a row added or subtracted. */
export function withRow(sums: Readonly<RowSums>, row: SummedRow, sign: Sign): RowSums {
  const amount = sign * row.amount;
  return {
    count: sums.count + sign,
    cleared: sums.cleared + (row.cleared ? amount : 0),
    uncleared: sums.uncleared + (row.cleared ? 0 : amount),
    native: sums.native + sign * (row.amountNative ?? 0),
  };
}

/** Returns the greatest key of a record by code point, null when the record is empty. */
export function lastKey(record: Readonly<Record<string, unknown>>): string | null {
  let last: string | null = null;
  for (const key in record) if (last === null || key > last) last = key;
  return last;
}
