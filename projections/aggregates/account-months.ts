// Sums by account and month, in one document: they give the sums of all later months without reading rows.
import { dictionary, isEmpty } from '../dictionary.ts';
import type { InSet, RowSums } from '../documents.ts';
import type { EditableDocuments } from '../editable-documents.ts';
import { type AccountDays, accountDaysId } from './account-days.ts';
import { overRows, type Sign } from './aggregate.ts';
import { lastKey, NO_SUMS, SUMMED_FIELDS, type SummedRow, withRow } from './row-sums.ts';

/** Per account: the sums of each month that has rows. `last` is the last day with rows (1 to 31). */
export interface AccountMonths extends InSet {
  readonly months: Record<string, RowSums & { last: number }>;
}

export const accountMonths = overRows('accountMonths', SUMMED_FIELDS, {
  idOf: ({ accountId }) => accountId,
  take: takeRow,
});

type Documents = EditableDocuments<{ accountMonths: AccountMonths; accountDays: AccountDays }>;

function takeRow(documents: Documents, row: SummedRow, sign: Sign): void {
  const { set, accountId } = row;
  const entry = documents.edit('accountMonths', { set, id: accountId }, copy);
  const { months } = entry.document;
  const month = row.date.slice(0, 7);
  const known = months[month];
  entry.was('months', month, known);
  const sums = withRow(known ?? NO_SUMS, row, sign);
  if (sums.count > 0) {
    const day = Number(row.date.slice(8));
    const lastKnown = known?.last ?? 0;
    const isLastGone = sign === -1 && day >= lastKnown;
    const last = isLastGone ? lastDayOf(documents, row) : Math.max(lastKnown, day);
    months[month] = { ...sums, last };
    return;
  }
  delete months[month];
  if (isEmpty(months)) documents.remove('accountMonths', set, accountId);
}

/** Returns the last day with rows in a row's month. The days already include the change under way. */
function lastDayOf(documents: Documents, { set, accountId, date }: SummedRow): number {
  const year = documents.get('accountDays', set, accountDaysId(accountId, date));
  return Number(lastKey(year?.months[date.slice(5, 7)] ?? {}));
}

function copy(stored: AccountMonths | null, { set, id }: InSet): AccountMonths {
  return { set, id, months: dictionary(stored?.months) };
}
