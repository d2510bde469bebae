// The effects of larger changes on rows: they are deleted, move to another thing, or lose their reference.
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import { hundredthsOf } from './money-text.ts';
import type { Budget, ByCategoryAndMonth, Row } from './state.ts';

export function rowOf(data: TransactionEntered, entered: number, createdAt: string): Row {
  const native = data.amountNative ?? null;
  return {
    id: data.transactionId,
    date: data.date,
    accountId: data.accountId,
    payeeId: data.payeeId ?? null,
    categoryId: data.categoryId ?? null,
    memo: data.memo ?? '',
    amount: hundredthsOf(data.amount),
    amountNative: native === null ? null : hundredthsOf(native),
    exchangeRate: data.exchangeRate ?? null,
    type: data.type,
    cleared: data.cleared,
    reconciled: data.reconciled,
    transferAccountId: data.transferAccountId ?? null,
    splitGroupId: data.splitGroupId ?? null,
    labelIds: data.labelIds ?? [],
    entered,
    createdAt,
  };
}

export function deleteAccount(budget: Budget, accountId: string): void {
  for (const row of [...budget.rows.values()]) {
    if (row.accountId === accountId) budget.rows.delete(row.id);
    else if (row.transferAccountId === accountId) {
      Object.assign(row, { transferAccountId: null, type: 'standard' });
    }
  }
  budget.accounts.delete(accountId);
}

export function deleteCategory(
  budget: Budget,
  categoryId: string,
  replacement: string | null,
): void {
  for (const row of budget.rows.values()) {
    if (row.categoryId === categoryId) row.categoryId = replacement;
  }
  for (const [month, amount] of budget.assigned.get(categoryId) ?? []) {
    if (replacement === null) continue;
    const there = budget.assigned.get(replacement)?.get(month) ?? 0n;
    put(budget.assigned, { categoryId: replacement, month }, there + amount);
  }
  budget.assigned.delete(categoryId);
  budget.carriesOver.delete(categoryId);
  budget.categories.delete(categoryId);
}

export function replacePayee(budget: Budget, payeeId: string, replacement: string | null): void {
  for (const row of budget.rows.values()) {
    if (row.payeeId === payeeId) row.payeeId = replacement;
  }
  budget.payees.delete(payeeId);
}

export function put<T>(
  map: ByCategoryAndMonth<T>,
  { categoryId, month }: { readonly categoryId: string; readonly month: string },
  value: T,
): void {
  map.set(categoryId, (map.get(categoryId) ?? new Map<string, T>()).set(month, value));
}

export function found<T>(map: Map<string, T>, id: string): T {
  const value = map.get(id);
  if (value === undefined) throw new Error(`Expected a live ${id}, found none`);
  return value;
}
