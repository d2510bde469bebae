// Encodes and decodes rows: a row is stored as the JSON text that is served.
import type { IndexDescription, Long } from 'mongodb';
import type { Row } from '../../projections/documents.ts';
import { parseMoney } from '../../projections/money.ts';
import { searchText } from '../../projections/normalize-text.ts';
import { entryOf, placeOf } from '../../projections/place.ts';
import { isUncategorized, renderRow } from '../../projections/row.ts';
import { keyOf } from '../../projections/working-set-entries.ts';
import type { Transaction } from '../../schemas/generated/api.ts';
import { money } from './stored-form.ts';

/** A stored row: the served text, and the few fields that filters and order need. */
export interface StoredRow {
  /** `set/transactionId` */
  _id: string;
  set: string;
  /** Orders the list, highest first (projections/place.ts). */
  place: number;
  account: string;
  /** Like the next four, missing where the row has none: that keeps the partial indexes small. */
  category?: string;
  payee?: string;
  transfer?: string;
  labels?: string[];
  /** Missing where the row is a standard one, as most are. */
  type?: string;
  /** In hundredths of the budget's currency. */
  amount: Long;
  onBudget: boolean;
  internal: boolean;
  /** On budget, without a category, no transfer between on-budget accounts (rules/months.md#uncategorized-rows). */
  uncategorized: boolean;
  cleared: boolean;
  /** Sequence of the event that last changed the served transaction. */
  changed: number;
  /** Normalized payee, memo and category name, with a separator between them (projections/normalize-text.ts). */
  search: string;
  /** The served transaction, as JSON text. */
  json: string;
}

/** The order of the list. */
export const BY_PLACE = { set: 1, place: -1 } as const;
/** The order of changes, within the kinds that clients list by it. */
export const BY_CHANGED = { set: 1, changed: 1, _id: 1 } as const;
export const BY_PAYEE = { set: 1, payee: 1, place: -1 } as const;
export const BY_ACCOUNT = { set: 1, account: 1, place: -1 } as const;
export const BY_CATEGORY = { set: 1, category: 1, place: -1 } as const;
export const BY_LABEL = { set: 1, labels: 1, place: -1 } as const;
export const BY_TYPE = { set: 1, type: 1, place: -1 } as const;
export const BY_AMOUNT = { set: 1, amount: 1, place: -1 } as const;

/** The type of most rows, which is not stored. */
export const STANDARD = 'standard';

/** The one index of rows that a build needs from its first row on: big changes read rows in this order. */
export const PLACE_INDEX: IndexDescription = { key: BY_PLACE };

export const ROW_INDEXES: readonly IndexDescription[] = [
  PLACE_INDEX,
  { key: BY_CHANGED },
  { key: BY_ACCOUNT },
  { key: BY_CATEGORY, partialFilterExpression: { category: { $exists: true } } },
  { key: BY_PAYEE, partialFilterExpression: { payee: { $exists: true } } },
  { key: { set: 1, transfer: 1 }, partialFilterExpression: { transfer: { $exists: true } } },
  { key: BY_LABEL, partialFilterExpression: { labels: { $exists: true } } },
  { key: BY_TYPE, partialFilterExpression: { type: { $exists: true } } },
  { key: BY_AMOUNT },
  {
    key: { set: 1, place: -1, uncategorized: 1 },
    partialFilterExpression: { uncategorized: true },
  },
  { key: { set: 1, place: -1, cleared: 1 }, partialFilterExpression: { cleared: false } },
];

/** Returns the stored form of a row. */
export function storedRow(row: Row): StoredRow {
  const stored: StoredRow = {
    _id: keyOf(row.set, row.id),
    set: row.set,
    place: placeOf(row.date, row.entry),
    account: row.accountId,
    onBudget: row.onBudget,
    internal: row.internal,
    uncategorized: isUncategorized(row),
    cleared: row.cleared,
    amount: money(row.amount),
    changed: row.changed,
    search: searchText(row.payeeName, row.memo, row.categoryName),
    json: renderRow(row),
  };
  if (row.categoryId !== null) stored.category = row.categoryId;
  if (row.payeeId !== null) stored.payee = row.payeeId;
  if (row.transferAccountId !== null) stored.transfer = row.transferAccountId;
  if (row.labels.length > 0) stored.labels = row.labels.map(({ id }) => id);
  if (row.type !== STANDARD) stored.type = row.type;
  return stored;
}

/** What a row needs of its stored form; the rest of it can be made again. */
export type RowSource = Pick<
  StoredRow,
  'set' | 'place' | 'onBudget' | 'internal' | 'changed' | 'json'
>;

type Served = Transaction & Pick<Row, 'createdAt' | 'accountName'>;
type Added = Omit<Row, Exclude<keyof Served, 'amount' | 'amountNative'>>;

/** Returns the row as the projections know it. */
export function rowOf({ set, place, onBudget, internal, changed, json }: RowSource): Row {
  const served = JSON.parse(json) as Served;
  const { amount, amountNative } = served;
  // Added to the parsed object: a copy of all fields takes longer than the rest.
  return Object.assign<Omit<Served, 'amount' | 'amountNative'>, Added>(served, {
    set,
    entry: entryOf(place),
    amount: parseMoney(amount),
    amountNative: amountNative === null ? null : parseMoney(amountNative),
    onBudget,
    internal,
    changed,
  });
}
