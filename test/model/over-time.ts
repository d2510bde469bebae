// Months, envelopes and balances over time (rules/api.md#months-and-envelopes-over-time, rules/api.md#balances), from
// the rows and assignments themselves.
import { daysInMonth, lastDayOf, monthIndex, monthOfDate, monthText } from './calendar.ts';
import { moneyText, sum } from './money-text.ts';
import { envelopeIn, monthsOf } from './months.ts';
import { byPosition } from './normalize-text.ts';
import { type Budget, isOnBudget, type Row } from './state.ts';

/** As in the query string, already checked. Months may be `current`. */
export interface MonthsQuery {
  start_month: string;
  end_month: string;
}

export interface CategoryMonthsQuery extends MonthsQuery {
  category_id?: string;
  include_hidden?: boolean;
}

export interface BalancesQuery {
  start_date: string;
  end_date: string;
  interval?: 'day' | 'week' | 'month';
  account_id?: string;
}

export function monthsIn({ start_month, end_month }: MonthsQuery, today: string): string[] {
  const [from, to] = [start_month, end_month].map(month =>
    monthIndex(month === 'current' ? monthOfDate(today) : month),
  ) as [number, number];
  return Array.from({ length: to - from + 1 }, (_, index) => monthText(from + index));
}

/** Null for a category that the budget does not hold. */
export function categoryMonthsBody(budget: Budget, query: CategoryMonthsQuery, today: string) {
  const { category_id: wanted, include_hidden: includeHidden = false } = query;
  if (wanted !== undefined && !budget.categories.has(wanted)) return null;
  const figuresOf = monthsOf(budget);
  const shown = [...budget.groups.values()]
    .filter(({ budgetMode }) => budgetMode === 'envelope')
    .sort(byPosition)
    .flatMap(group =>
      [...budget.categories.values()]
        .filter(({ groupId }) => groupId === group.id)
        .sort(byPosition)
        .map(category => ({ group, category, hidden: group.hidden || category.hidden })),
    )
    .filter(({ category, hidden }) =>
      wanted === undefined ? includeHidden || !hidden : category.id === wanted,
    );
  const months = monthsIn(query, today).map(month => {
    const { available } = figuresOf(month);
    const categories = shown.map(({ group, category, hidden }) => {
      const { assigned, spent, carriesOver } = envelopeIn(budget, category.id, month);
      return {
        categoryId: category.id,
        categoryName: category.name,
        groupId: group.id,
        groupName: group.name,
        hidden,
        assigned: moneyText(assigned),
        activity: moneyText(spent),
        available: moneyText(available.get(category.id) ?? 0n),
        carriesOver,
      };
    });
    return { month, categories };
  });
  return { months };
}

/** Null for an account that the budget does not hold. */
export function balancesBody(budget: Budget, query: BalancesQuery) {
  const { account_id: accountId } = query;
  const dates = pointsOf(query);
  const rows = [...budget.rows.values()];
  if (accountId === undefined) {
    const points = dates.map(date => {
      const past = rows.filter(row => row.date <= date);
      const onBudget = past.filter(row => isOnBudget(budget, row.accountId));
      return { date, total: totalOf(past), onBudget: totalOf(onBudget) };
    });
    return { points };
  }
  const account = budget.accounts.get(accountId);
  if (!account) return null;
  const points = dates.map(date => {
    const past = rows.filter(row => row.accountId === accountId && row.date <= date);
    const native = moneyText(sum(past.map(row => row.amountNative ?? 0n)));
    const balance = totalOf(past);
    return { date, balance, nativeBalance: account.currency === null ? balance : native };
  });
  return { points };
}

function totalOf(rows: readonly Row[]): string {
  return moneyText(sum(rows.map(row => row.amount)));
}

/** Day by day, keeping those of the interval, and the last one. */
function pointsOf({ start_date, end_date, interval = 'day' }: BalancesQuery): string[] {
  const dates: string[] = [];
  for (let date = start_date; date < end_date; date = dayAfter(date)) {
    const isPoint =
      interval === 'day' ||
      (interval === 'week' && isSunday(date)) ||
      (interval === 'month' && date === lastDayOf(monthOfDate(date)));
    if (isPoint) dates.push(date);
  }
  return [...dates, end_date];
}

function dayAfter(date: string): string {
  const month = monthOfDate(date);
  const day = Number(date.slice(8));
  if (day < daysInMonth(month)) return `${month}-${String(day + 1).padStart(2, '0')}`;
  return `${monthText(monthIndex(month) + 1)}-01`;
}

function isSunday(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).getUTCDay() === 0;
}
