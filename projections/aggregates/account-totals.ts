// Totals by account over all live rows; queries subtract the rows with a future date.
import type { Account } from '../documents.ts';
import type { EditableDocuments } from '../editable-documents.ts';
import type { AccountMonths } from './account-months.ts';
import { overRows, type Sign } from './aggregate.ts';
import { lastKey, SUMMED_FIELDS, type SummedRow, withRow } from './row-sums.ts';

export const accountTotals = overRows('accounts', SUMMED_FIELDS, {
  idOf: ({ accountId }) => accountId,
  take: takeRow,
});

/** The totals of an account without rows. */
export const NO_ROWS = {
  count: 0,
  cleared: 0,
  uncleared: 0,
  native: 0,
  nativeAbsolute: 0,
  lastDate: null,
} as const satisfies Partial<Account>;

function takeRow(
  documents: EditableDocuments<{ accounts: Account; accountMonths: AccountMonths }>,
  row: SummedRow,
  sign: Sign,
): void {
  const { set, accountId } = row;
  const account = documents.get('accounts', set, accountId);
  if (!account) throw new Error(`Row ${row.id} of an account that is not there: ${accountId}`);
  const later = account.lastDate !== null && row.date < account.lastDate;
  const lastDate = later
    ? account.lastDate
    : sign === 1
      ? row.date
      : lastDateOf(documents.get('accountMonths', set, accountId));
  const { document: totals } = documents.edit('accounts', account, () => ({ ...account }));
  Object.assign(totals, withRow(account, row, sign));
  totals.nativeAbsolute += sign * Math.abs(row.amountNative ?? 0);
  totals.lastDate = lastDate;
}

function lastDateOf(document: AccountMonths | null): string | null {
  const month = document && lastKey(document.months);
  if (!document || !month) return null;
  return `${month}-${String(document.months[month]?.last).padStart(2, '0')}`;
}
