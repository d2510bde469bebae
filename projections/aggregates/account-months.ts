// Month sums by account, in one document: what is later than a date, without reading rows.
import type { AccountMonths, Row } from '../documents.ts';
import type { WorkingSet } from '../working-set.ts';
import { accountDaysId } from './account-days.ts';
import { lastKey, NO_SUMS, withRow } from './row-sums.ts';

export function accountMonths(documents: WorkingSet, row: Row, sign: 1 | -1): void {
  const { set, accountId } = row;
  const document = documents.edit('accountMonths', set, accountId, stored =>
    copy(stored, set, accountId),
  );
  const month = row.date.slice(0, 7);
  const sums = withRow(document.months[month] ?? NO_SUMS, row, sign);
  if (sums.count > 0) {
    // The days are folded first, so the last day with rows can be taken from them.
    const days = documents.get('accountDays', set, accountDaysId(accountId, month))?.days ?? {};
    const known = document.months[month]?.last ?? 0;
    const day = Number(row.date.slice(8));
    const last = sign === 1 ? Math.max(known, day) : day < known ? known : Number(lastKey(days));
    document.months[month] = { ...sums, last };
    return;
  }
  delete document.months[month];
  if (lastKey(document.months) === null) documents.put('accountMonths', set, accountId, null);
}

function copy(stored: AccountMonths | null, set: string, id: string): AccountMonths {
  return { set, id, months: { ...stored?.months } };
}
