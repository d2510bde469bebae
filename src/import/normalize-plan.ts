// Adapts a plan to the rules of the event catalogue, so that no projector refuses the imported events later.
import { formatMoney, MONEY_MAX } from '../../projections/money.ts';
import { createImportProblems } from './import-problems.ts';
import { type BudgetPlan, count, type PlannedRow } from './plan.ts';

/**
 * Returns the plan with transfers that the catalogue forbids entered as standard rows.
 *
 * @throws UserError if the money of the whole budget exceeds the guard (rules/events.md#the-money-guard)
 */
export function normalizePlan(plan: BudgetPlan): BudgetPlan {
  checkMoney(plan);
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
    // As a standard row it keeps its category, so the month figures stay as they are in the file.
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

function checkMoney({ rows, assigned, holds }: BudgetPlan): void {
  let absolute = 0;
  const problems = createImportProblems();
  for (const { amount, origin } of [...rows, ...assigned, ...holds]) {
    absolute += Math.abs(amount);
    if (absolute <= MONEY_MAX) continue;
    const most = formatMoney(MONEY_MAX);
    problems.add(origin, `Expected absolute amounts that add up to at most ${most}, got more here`);
    problems.throwIfAny();
  }
}
