// A single transaction row: whether it counts as uncategorized, its served fields, the order of its labels, and the
// JSON text it is served as.
import type { Row } from './documents.ts';
import { formatMoney } from './money.ts';
import { compareCodePoints, normalizeText } from './normalize-text.ts';

/** The fields that change where rows are cleared or reconciled. */
export const MARKS = ['cleared', 'reconciled'] as const satisfies readonly (keyof Row)[];

/**
 * Returns whether a row is on budget, has no category and is no transfer between on-budget accounts
 * (rules/months.md#uncategorized-rows).
 */
export function isUncategorized(row: Pick<Row, 'onBudget' | 'categoryId' | 'internal'>): boolean {
  return row.onBudget && row.categoryId === null && !row.internal;
}

/** The served fields of a row that an event can change, without its labels. */
export const SERVED_ROW_FIELDS = [
  'date',
  'accountId',
  'accountName',
  'payeeId',
  'payeeName',
  'categoryId',
  'categoryName',
  'memo',
  'amount',
  'amountNative',
  'exchangeRate',
  'currency',
  'type',
  'cleared',
  'reconciled',
  'transferAccountId',
  'splitGroupId',
] as const satisfies readonly (keyof Row)[];

/** Returns the transaction as it is served (rules/api.md#transaction), as JSON text. */
export function renderRow(row: Row): string {
  return JSON.stringify({
    id: row.id,
    date: row.date,
    accountId: row.accountId,
    accountName: row.accountName,
    payeeId: row.payeeId,
    payeeName: row.payeeName,
    categoryId: row.categoryId,
    categoryName: row.categoryName,
    memo: row.memo,
    amount: formatMoney(row.amount),
    amountNative: row.amountNative === null ? null : formatMoney(row.amountNative),
    exchangeRate: row.exchangeRate,
    currency: row.currency,
    type: row.type,
    cleared: row.cleared,
    reconciled: row.reconciled,
    transferAccountId: row.transferAccountId,
    splitGroupId: row.splitGroupId,
    labels: row.labels,
    createdAt: row.createdAt,
  });
}

/** Returns the labels by name key, then id (rules/readings.md#are-names-normalised-in-answers). */
export function sortLabels(labels: Row['labels']): Row['labels'] {
  // Each name is normalised once, not in each comparison.
  return labels
    .map(label => ({ label, key: normalizeText(label.name) }))
    .sort((a, b) => compareCodePoints(a.key, b.key) || compareCodePoints(a.label.id, b.label.id))
    .map(({ label }) => label);
}
