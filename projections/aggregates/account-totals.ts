// Totals by account over all live rows, future ones too; the reader takes off what is later than today.
import type { AccountMonths, Row } from '../documents.ts';
import type { WorkingSet } from '../working-set.ts';
import { lastKey, withRow } from './row-sums.ts';

export function accountTotals(documents: WorkingSet, row: Row, sign: 1 | -1): void {
  const { set, accountId } = row;
  const account = documents.get('accounts', set, accountId);
  if (!account) throw new Error(`Row ${row.id} of an account that is not there: ${accountId}`);
  const later = account.lastDate !== null && row.date < account.lastDate;
  const lastDate = later
    ? account.lastDate
    : sign === 1
      ? row.date
      : lastDateOf(documents.get('accountMonths', set, accountId));
  const { document: totals } = documents.edit('accounts', set, accountId, () => ({ ...account }));
  Object.assign(totals, withRow(account, row, sign));
  totals.nativeAbsolute += sign * Math.abs(row.amountNative ?? 0);
  totals.lastDate = lastDate;
}

function lastDateOf(document: AccountMonths | null): string | null {
  const month = document && lastKey(document.months);
  if (!document || !month) return null;
  return `${month}-${String(document.months[month]?.last).padStart(2, '0')}`;
}
