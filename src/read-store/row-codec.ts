// Rows between the form the projections fold and the form that is stored: the text they are served as.
import type { Row } from '../../projections/documents.ts';
import { searchText } from '../../projections/fold.ts';
import { parseMoney } from '../../projections/money.ts';
import { entryOf, placeOf } from '../../projections/place.ts';
import { isUncategorized, renderRow } from '../../projections/row.ts';
import type { Transaction } from '../../schemas/generated/api.ts';
import type { StoredRow } from './collections.ts';

/** The stored form of a row. Fields that are null are left out, which keeps the partial indexes small. */
export function storedRow(row: Row): StoredRow {
  const stored: StoredRow = {
    _id: `${row.set}/${row.id}`,
    set: row.set,
    place: placeOf(row.date, row.entry),
    account: row.accountId,
    onBudget: row.onBudget,
    internal: row.internal,
    uncategorized: isUncategorized(row),
    cleared: row.cleared,
    search: searchText(row.payeeName, row.memo, row.categoryName),
    json: renderRow(row),
  };
  if (row.categoryId !== null) stored.category = row.categoryId;
  if (row.payeeId !== null) stored.payee = row.payeeId;
  if (row.transferAccountId !== null) stored.transfer = row.transferAccountId;
  if (row.labels.length > 0) stored.labels = row.labels.map(({ id }) => id);
  return stored;
}

/** The row as it was folded, read back from its text. */
export function rowOf(stored: StoredRow): Row {
  const served = JSON.parse(stored.json) as Transaction & Pick<Row, 'createdAt' | 'accountName'>;
  const { amountNative } = served;
  return {
    ...served,
    set: stored.set,
    entry: entryOf(stored.place),
    amount: parseMoney(served.amount),
    amountNative: amountNative === null ? null : parseMoney(amountNative),
    onBudget: stored.onBudget,
    internal: stored.internal,
  };
}
