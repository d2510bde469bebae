// Day sums by account, in monthly documents: balances on any date, and the place of any offset.
import { dictionary } from '../dictionary.ts';
import type { AccountDays, Row } from '../documents.ts';
import type { WorkingSet } from '../working-set.ts';
import { NO_SUMS, withRow } from './row-sums.ts';

/** The id of the document that holds an account's days of a month. */
export function accountDaysId(accountId: string, month: string): string {
  return `${accountId}/${month}`;
}

export function accountDays(documents: WorkingSet, row: Row, sign: 1 | -1): void {
  const id = accountDaysId(row.accountId, row.date.slice(0, 7));
  const entry = documents.edit('accountDays', row.set, id, stored => copy(stored, row.set, id));
  const { days } = entry.document;
  const day = row.date.slice(8);
  entry.was(`days.${day}`, days[day]);
  const sums = withRow(days[day] ?? NO_SUMS, row, sign);
  if (sums.count > 0) {
    days[day] = sums;
    return;
  }
  delete days[day];
  if (isEmpty(days)) documents.put('accountDays', row.set, id, null);
}

function copy(stored: AccountDays | null, set: string, id: string): AccountDays {
  return { set, id, days: dictionary(stored?.days) };
}

function isEmpty(record: Record<string, unknown>): boolean {
  for (const _key in record) return false;
  return true;
}
