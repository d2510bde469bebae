// Brings a plan to what the catalogue takes: what events contradict must not be found by a projector later.
import { formatMoney, MONEY_MAX } from '../../projections/money.ts';
import { type BudgetPlan, count, type PlannedRow } from './plan.ts';
import { createProblems } from './problems.ts';

/** @throws UserError where the money of the whole budget is beyond the guard of decisions.md */
export function settlePlan(plan: BudgetPlan): BudgetPlan {
  guardMoney(plan);
  const onBudget = new Set(plan.accounts.filter(account => account.onBudget).map(({ id }) => id));
  let toSelf = 0;
  let categorized = 0;
  const rows = plan.rows.map((row): PlannedRow => {
    const { accountId, transferAccountId, categoryId } = row;
    if (transferAccountId === null) return row;
    const isToSelf = transferAccountId === accountId;
    const isInside = onBudget.has(accountId) && onBudget.has(transferAccountId);
    if (isToSelf) toSelf += 1;
    else if (isInside && categoryId !== null) categorized += 1;
    else return row;
    // The figures of its months stay what they are in the file.
    return { ...row, transferAccountId: null };
  });
  const notes = [...plan.notes];
  if (toSelf > 0) {
    notes.push(`${count(toSelf, 'transfer')} of an account to itself: entered as standard rows`);
  }
  if (categorized > 0) {
    const legs = count(categorized, 'leg of a transfer', 'legs of transfers');
    notes.push(`${legs} between on-budget accounts with a category: entered as standard rows`);
  }
  return { ...plan, rows, notes };
}

function guardMoney({ rows, assigned, holds }: BudgetPlan): void {
  let absolute = 0;
  const problems = createProblems();
  for (const { amount, origin } of [...rows, ...assigned, ...holds]) {
    absolute += Math.abs(amount);
    if (absolute <= MONEY_MAX) continue;
    const most = formatMoney(MONEY_MAX);
    problems.add(origin, `Expected absolute amounts that add up to at most ${most}, got more here`);
    problems.throwIfAny();
  }
}
