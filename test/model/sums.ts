// Sums over rows (rules/api.md#sums): from each live row, for every question again.
import { moneyText, sum } from './money-text.ts';
import { compareText, normalizeText } from './normalize-text.ts';
import { type Budget, isOnBudget, type Row } from './state.ts';

/** The parameters of the query string, validated and typed. */
export interface SumsQuery {
  group_by: 'account' | 'category' | 'categoryGroup' | 'payee' | 'label' | 'none';
  interval?: 'none' | 'month' | 'year';
  start_date?: string;
  end_date?: string;
  account_id?: string;
  category_id?: string;
  payee_id?: string;
  label_id?: string;
  on_budget?: boolean;
  transfers?: 'exclude' | 'include' | 'only';
  limit?: number;
  offset?: number;
}

const LIMIT_MAX = 1000;

/** Null for a filter id that the budget does not hold. */
export function sumsBody(budget: Budget, query: SumsQuery) {
  const { account_id, category_id, payee_id, label_id } = query;
  if (account_id !== undefined && !budget.accounts.has(account_id)) return null;
  if (category_id !== undefined && !budget.categories.has(category_id)) return null;
  if (payee_id !== undefined && !budget.payees.has(payee_id)) return null;
  if (label_id !== undefined && !budget.labels.has(label_id)) return null;
  const groups = new Map<string, { period: string | null; id: string | null; rows: Row[] }>();
  for (const row of budget.rows.values()) {
    if (!isWanted(budget, row, query)) continue;
    const period = periodOf(row, query);
    for (const id of idsOf(budget, row, query)) {
      const key = JSON.stringify([period, id]);
      const group = groups.get(key) ?? { period, id, rows: [] };
      groups.set(key, group);
      group.rows.push(row);
    }
  }
  const sums = [...groups.values()]
    .map(({ period, id, rows }) => ({ period, id, name: nameOf(budget, id, query), rows }))
    .sort(
      (a, b) =>
        compareText(a.period ?? '', b.period ?? '') ||
        Number(netOf(a.rows) - netOf(b.rows)) ||
        Number(a.name === null) - Number(b.name === null) ||
        compareText(normalizeText(a.name ?? ''), normalizeText(b.name ?? '')) ||
        compareText(a.id ?? '', b.id ?? ''),
    )
    .map(({ rows, ...group }) => ({ ...group, ...figuresOf(rows) }));
  const { limit = LIMIT_MAX, offset = 0 } = query;
  const page = sums.slice(offset, offset + limit);
  return { sums: page, pagination: { limit, offset, has_more: page.length === limit } };
}

function isWanted(budget: Budget, row: Row, query: SumsQuery): boolean {
  const { on_budget: onBudget, transfers = 'exclude' } = query;
  const isTransfer = row.transferAccountId !== null;
  return (
    (query.account_id ?? row.accountId) === row.accountId &&
    (query.category_id ?? row.categoryId) === row.categoryId &&
    (query.payee_id ?? row.payeeId) === row.payeeId &&
    (query.label_id === undefined || row.labelIds.includes(query.label_id)) &&
    (query.start_date ?? row.date) <= row.date &&
    (query.end_date ?? row.date) >= row.date &&
    (onBudget === undefined || onBudget === isOnBudget(budget, row.accountId)) &&
    (transfers === 'include' || isTransfer === (transfers === 'only'))
  );
}

function periodOf({ date }: Row, { interval = 'none' }: SumsQuery): string | null {
  return interval === 'none' ? null : date.slice(0, interval === 'year' ? 4 : 7);
}

function idsOf(budget: Budget, row: Row, { group_by: by }: SumsQuery): (string | null)[] {
  switch (by) {
    case 'account':
      return [row.accountId];
    case 'category':
      return [row.categoryId];
    case 'categoryGroup':
      return [row.categoryId && (budget.categories.get(row.categoryId)?.groupId ?? null)];
    case 'payee':
      return [row.payeeId];
    case 'label':
      return row.labelIds.length === 0 ? [null] : [...row.labelIds];
    case 'none':
      return [null];
  }
}

function nameOf(budget: Budget, id: string | null, { group_by: by }: SumsQuery): string | null {
  if (id === null || by === 'none') return null;
  const named = {
    account: budget.accounts,
    category: budget.categories,
    categoryGroup: budget.groups,
    payee: budget.payees,
    label: budget.labels,
  }[by];
  return named.get(id)?.name ?? null;
}

function netOf(rows: readonly Row[]): bigint {
  return sum(rows.map(({ amount }) => amount));
}

function figuresOf(rows: readonly Row[]) {
  const amounts = rows.map(({ amount }) => amount);
  return {
    inflow: moneyText(sum(amounts.filter(amount => amount > 0n))),
    outflow: moneyText(sum(amounts.filter(amount => amount < 0n))),
    net: moneyText(netOf(rows)),
    count: rows.length,
  };
}
