// Checks what was read: YNAB's own activities and balances must be the sums of the rows.
import type { Hundredths } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import { type BudgetPlan, count, type PlannedRow } from '../plan.ts';
import { cellKey } from './merge-lines.ts';
import { INTERNAL, PAYMENTS } from './names.ts';
import type { PlanLine, RegisterRow } from './read-ynab.ts';
import type { YnabBudget } from './ynab-json.ts';

/** Returns a sentence for each account that differs, and one for all activities that do. */
export function compareSums(budget: YnabBudget, rows: readonly PlannedRow[]): string[] {
  return [...balanceDifferences(budget, rows), ...activityDifferences(budget, rows)];
}

/** Returns the things that are not deleted. */
export function liveThings<T extends { readonly deleted?: boolean }>(things: readonly T[]): T[] {
  return things.filter(({ deleted = false }) => !deleted);
}

function balanceDifferences({ accounts }: YnabBudget, rows: readonly PlannedRow[]): string[] {
  const sums = new Map<string, Hundredths>();
  for (const { accountId, amount } of rows) {
    sums.set(accountId, (sums.get(accountId) ?? 0) + amount);
  }
  return liveThings(accounts).flatMap(({ id, name, balance }) => {
    const sum = sums.get(id) ?? 0;
    if (sum * 10 === balance) return [];
    const [shown, own] = [formatMoney(sum), formatMoney(Math.round(balance / 10))];
    return [`The balance of ${JSON.stringify(name)} is ${own}, but its rows add up to ${shown}`];
  });
}

function activityDifferences(
  { months, accounts, categories, category_groups }: YnabBudget,
  rows: readonly PlannedRow[],
): string[] {
  const onBudget = new Set(accounts.filter(one => one.on_budget).map(({ id }) => id));
  const apart = new Set(
    category_groups.filter(({ name }) => [INTERNAL, PAYMENTS].includes(name)).map(({ id }) => id),
  );
  const compared = new Map(
    categories.filter(one => !apart.has(one.category_group_id)).map(one => [one.id, one.name]),
  );
  const sums = new Map<string, Hundredths>();
  for (const { date, accountId, categoryId, amount } of rows) {
    if (categoryId === null || !onBudget.has(accountId)) continue;
    const key = `${date.slice(0, 7)} ${categoryId}`;
    sums.set(key, (sums.get(key) ?? 0) + amount);
  }
  const different = liveThings(months).flatMap(({ month, categories: cells }) =>
    liveThings(cells)
      .filter(({ id }) => compared.has(id))
      .map(({ id, activity }) => ({
        id,
        activity,
        sum: sums.get(`${month.slice(0, 7)} ${id}`) ?? 0,
        month,
      }))
      .filter(({ activity, sum }) => sum * 10 !== activity),
  );
  const [first] = different;
  if (!first) return [];
  const [own, sum] = [formatMoney(Math.round(first.activity / 10)), formatMoney(first.sum)];
  const place = `${JSON.stringify(compared.get(first.id))} in ${first.month.slice(0, 7)}`;
  const cells = count(different.length, 'month of a category', 'months of categories');
  return [
    `The activity of ${cells} is not what the rows add up to; the first is ${place}, ${own} instead of ${sum}`,
  ];
}

/**
 * Returns the result in a sentence.
 *
 * @param compared lines without card payment categories: YNAB moves money there without rows
 */
export function compareActivity(
  compared: readonly PlanLine[],
  rows: readonly RegisterRow[],
  isOnBudget: (account: string) => boolean,
): Pick<BudgetPlan, 'notes' | 'differences'> {
  const sums = new Map<string, Hundredths>();
  for (const row of rows) {
    if (row.category === '' || !isOnBudget(row.account)) continue;
    const key = cellKey(row, row.date.slice(0, 7));
    sums.set(key, (sums.get(key) ?? 0) + row.amount);
  }
  const sumOf = (line: PlanLine) => sums.get(cellKey(line, line.month)) ?? 0;
  const different = compared.filter(line => sumOf(line) !== line.activity);
  const [first] = different;
  const all = count(compared.length, 'line');
  if (first === undefined) {
    const note = `The Activity of all ${all} of the plan is what the rows add up to`;
    return { notes: [note], differences: [] };
  }
  const difference =
    `The Activity of ${different.length} of ${all} of the plan is not what the rows add up to; ` +
    `the first is ${first.origin}, ${formatMoney(first.activity)} instead of ${formatMoney(sumOf(first))}`;
  return { notes: [], differences: [difference] };
}
