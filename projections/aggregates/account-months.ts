// Month sums by account, in one document: what is later than a date, without reading rows.
import { dictionary, isEmpty } from '../dictionary.ts';
import type { AccountMonths, Row } from '../documents.ts';
import type { WorkingSet } from '../working-set.ts';
import { accountDaysId } from './account-days.ts';
import { lastKey, NO_SUMS, withRow } from './row-sums.ts';

export function accountMonths(documents: WorkingSet, row: Row, sign: 1 | -1): void {
  const { set, accountId } = row;
  const entry = documents.edit('accountMonths', set, accountId, stored =>
    copy(stored, set, accountId),
  );
  const { months } = entry.document;
  const month = row.date.slice(0, 7);
  const known = months[month];
  entry.was(`months.${month}`, known);
  const sums = withRow(known ?? NO_SUMS, row, sign);
  if (sums.count > 0) {
    // The days are folded first, so the last day with rows can be taken from them.
    const year = documents.get('accountDays', set, accountDaysId(accountId, month));
    const days = year?.months[month.slice(5)] ?? {};
    const day = Number(row.date.slice(8));
    const lastKnown = known?.last ?? 0;
    const stays = sign === -1 && day < lastKnown;
    const last = sign === 1 ? Math.max(lastKnown, day) : stays ? lastKnown : Number(lastKey(days));
    months[month] = { ...sums, last };
    return;
  }
  delete months[month];
  if (isEmpty(months)) documents.put('accountMonths', set, accountId, null);
}

function copy(stored: AccountMonths | null, set: string, id: string): AccountMonths {
  return { set, id, months: dictionary(stored?.months) };
}
