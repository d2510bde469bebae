// Accounts and transactions as they are shown.

import { moneyText, sum } from './money-text.ts';
import { byNameThenId } from './normalize-text.ts';
import type { Account, Budget, Row } from './state.ts';

export function accountJson(budget: Budget, account: Account, today: string) {
  const rows = [...budget.rows.values()].filter(row => row.accountId === account.id);
  const past = rows.filter(row => row.date <= today);
  const total = (some: Row[]) => moneyText(sum(some.map(row => row.amount)));
  const balance = total(past);
  return {
    id: account.id,
    name: account.name,
    type: account.type,
    currency: account.currency,
    onBudget: account.onBudget,
    closed: account.closed,
    balance,
    clearedBalance: total(past.filter(row => row.cleared)),
    unclearedBalance: total(past.filter(row => !row.cleared)),
    nativeBalance:
      account.currency === null ? balance : moneyText(sum(past.map(row => row.amountNative ?? 0n))),
    transactionCount: rows.length,
    lastTransactionDate:
      rows
        .map(row => row.date)
        .sort()
        .at(-1) ?? null,
    createdAt: account.createdAt,
  };
}

export function transactionJson(budget: Budget, row: Row) {
  const account = budget.accounts.get(row.accountId);
  return {
    id: row.id,
    date: row.date,
    accountId: row.accountId,
    accountName: account?.name ?? null,
    payeeId: row.payeeId,
    payeeName: nameOf(budget.payees, row.payeeId),
    categoryId: row.categoryId,
    categoryName: nameOf(budget.categories, row.categoryId),
    memo: row.memo,
    amount: moneyText(row.amount),
    amountNative: row.amountNative === null ? null : moneyText(row.amountNative),
    exchangeRate: row.exchangeRate,
    currency: account?.currency ?? null,
    type: row.type,
    cleared: row.cleared,
    reconciled: row.reconciled,
    transferAccountId: row.transferAccountId,
    splitGroupId: row.splitGroupId,
    labels: row.labelIds
      .map(id => ({ id, name: nameOf(budget.labels, id) ?? '' }))
      .sort(byNameThenId),
    createdAt: row.createdAt,
  };
}

function nameOf(named: Map<string, { name: string }>, id: string | null): string | null {
  return id === null ? null : (named.get(id)?.name ?? null);
}
