// Sums by account and day, in one document a year. Balances on a date and deep pages are found by them.
import { dictionary, isEmpty } from '../dictionary.ts';
import type { InSet, RowSums } from '../documents.ts';
import type { EditableDocuments } from '../editable-documents.ts';
import { overRows, type Sign } from './aggregate.ts';
import { NO_SUMS, SUMMED_FIELDS, type SummedRow, withRow } from './row-sums.ts';

/**
 * Per account and year: by month (`'01'` to `'12'`), the sums of each day (`'01'` to `'31'`) that has rows. Its id is
 * `account/year`.
 */
export interface AccountDays extends InSet {
  readonly months: Record<string, Record<string, RowSums>>;
}

export const accountDays = overRows('accountDays', SUMMED_FIELDS, {
  idOf: ({ accountId, date }) => accountDaysId(accountId, date),
  take: takeRow,
});

/** Returns the id of the document with an account's days in the year of a date or month. */
export function accountDaysId(accountId: string, date: string): string {
  return `${accountId}/${date.slice(0, 4)}`;
}

function takeRow(
  documents: EditableDocuments<{ accountDays: AccountDays }>,
  row: SummedRow,
  sign: Sign,
): void {
  const id = accountDaysId(row.accountId, row.date);
  const entry = documents.edit('accountDays', { set: row.set, id }, copy);
  const { months } = entry.document;
  const month = row.date.slice(5, 7);
  const known = months[month];
  // Only the key matters; the old value is never read.
  entry.was('months', month, known ? {} : undefined);
  const days: Record<string, RowSums> = known ?? dictionary();
  const day = row.date.slice(8);
  const sums = withRow(days[day] ?? NO_SUMS, row, sign);
  if (sums.count > 0) {
    days[day] = sums;
    if (!known) months[month] = days;
    return;
  }
  delete days[day];
  if (isEmpty(days)) delete months[month];
  if (isEmpty(months)) documents.remove('accountDays', row.set, id);
}

function copy(stored: AccountDays | null, { set, id }: InSet): AccountDays {
  const months = dictionary(stored?.months);
  for (const month in months) months[month] = dictionary(months[month]);
  return { set, id, months };
}
