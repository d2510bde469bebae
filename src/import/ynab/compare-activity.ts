// Checks the parsed register: YNAB's own Activity of each category and month must be the sum of its rows.
import type { Hundredths } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import { type BudgetPlan, count } from '../plan.ts';
import { isPayment } from './category-book.ts';
import type { PlanLine, RegisterRow } from './read-ynab.ts';

/** Returns the result in a sentence. Skips card payment categories: YNAB moves money there without rows. */
export function compareActivity(
  lines: readonly PlanLine[],
  rows: readonly RegisterRow[],
  isOnBudget: (account: string) => boolean,
): Pick<BudgetPlan, 'notes' | 'differences'> {
  const sums = new Map<string, Hundredths>();
  for (const row of rows) {
    if (row.category === '' || !isOnBudget(row.account)) continue;
    const key = keyOf(row, row.date.slice(0, 7));
    sums.set(key, (sums.get(key) ?? 0) + row.amount);
  }
  const compared = lines.filter(line => !isPayment(line));
  const sumOf = (line: PlanLine) => sums.get(keyOf(line, line.month)) ?? 0;
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

function keyOf({ group, category }: Pick<PlanLine, 'group' | 'category'>, month: string): string {
  return JSON.stringify([group, category, month]);
}
