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

function takeRow(
  documents: EditableDocuments<{ accountMonths: AccountMonths; accountDays: AccountDays }>,
  row: SummedRow,
  sign: Sign,
): void {
  const { set, accountId } = row;
  const entry = documents.edit('accountMonths', { set, id: accountId }, copy);
  const { months } = entry.document;
  const month = row.date.slice(0, 7);
  const known = months[month];
  entry.was('months', month, known);
  const sums = withRow(known ?? NO_SUMS, row, sign);
  if (sums.count > 0) {
    // The days already include this change, so the last day with rows can be read from them.
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
  if (isEmpty(months)) documents.remove('accountMonths', set, accountId);
}

function copy(stored: AccountMonths | null, { set, id }: InSet): AccountMonths {
  return { set, id, months: dictionary(stored?.months) };
}
