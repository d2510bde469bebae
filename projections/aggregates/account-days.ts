// Day sums by account, in monthly documents: balances on any date, and the place of any offset.
import type { AccountDays, Row } from '../documents.ts';
import type { WorkingSet } from '../working-set.ts';
import { NO_SUMS, withRow } from './row-sums.ts';

/** The id of the document that holds an account's days of a month. */
export function accountDaysId(accountId: string, month: string): string {
  return `${accountId}/${month}`;
}

export function accountDays(documents: WorkingSet, row: Row, sign: 1 | -1): void {
  const id = accountDaysId(row.accountId, row.date.slice(0, 7));
  const document = documents.edit('accountDays', row.set, id, stored => copy(stored, row.set, id));
  const day = row.date.slice(8);
  const sums = withRow(document.days[day] ?? NO_SUMS, row, sign);
  if (sums.count > 0) {
    document.days[day] = sums;
    return;
  }
  delete document.days[day];
  if (isEmpty(document.days)) documents.put('accountDays', row.set, id, null);
}

function copy(stored: AccountDays | null, set: string, id: string): AccountDays {
  return { set, id, days: { ...stored?.days } };
}

function isEmpty(record: Record<string, unknown>): boolean {
  for (const _key in record) return false;
  return true;
}
