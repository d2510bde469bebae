// Brings a budget up to date with a file: compares the plan with what the budget holds, and makes events of what differs.
import { UserError } from '../../process/errors.ts';
import type { ImportedEvent } from '../import-events.ts';
import { type BudgetPlan, count } from '../plan.ts';
import { type ChangeStamp, type Changes, type CurrentBudget, createChanges } from './changes.ts';
import { updateAccounts, updateClosed } from './update-accounts.ts';
import { updateGroups } from './update-groups.ts';
import { updateMonths } from './update-months.ts';
import { updateLabels, updatePayees } from './update-names.ts';
import { updateRows } from './update-rows.ts';

/** A file with a smaller share of the budget's transactions is taken for an export of another budget, in percent. */
export const KNOWN_PERCENT_MIN = 50;

/**
 * Returns the events after which the budget equals a new import of the plan, none where it does already. The budget's
 * documents are changed in memory.
 *
 * @throws UserError when the plan looks like that of another budget, or an event would be invalid
 */
export function updateEvents(
  plan: BudgetPlan,
  budget: CurrentBudget,
  stamp: ChangeStamp & { readonly name?: string | null },
): readonly ImportedEvent[] {
  const changes = createChanges(budget, stamp);
  const { name = null } = stamp;
  if (name !== null && name !== budget.head.budget?.name) {
    changes.add('--name', 'budget.renamed', { name });
  }
  checkSame(plan, changes, budget.head.id);
  update(plan, changes);
  const made = changes.events.length;
  if (made > 0) update(plan, changes);
  const again = changes.events[made];
  if (again)
    throw new Error(`The update left a difference at ${again.origin}: ${again.event.type}`);
  return changes.events;
}

// What is deleted goes early, because its rows go with it; what a row names comes before the row.
function update(plan: BudgetPlan, changes: Changes): void {
  updatePayees(plan, changes);
  const labels = updateLabels(plan, changes);
  updateGroups(plan, changes);
  updateAccounts(plan, changes);
  updateRows(plan, changes, labels);
  updateMonths(plan, changes);
  updateClosed(plan, changes);
}

function checkSame({ accounts, rows }: BudgetPlan, { documents, set }: Changes, id: string): void {
  const current = documents.all('rows', set);
  const inFile = new Set(rows.map(row => row.id));
  const known = current.filter(row => inFile.has(row.id)).length;
  if (known * 100 < current.length * KNOWN_PERCENT_MIN) {
    throw new UserError(
      `Expected an export of budget ${id}, with at least ${KNOWN_PERCENT_MIN} % of its ${count(current.length, 'transaction')}, got a file with ${known.toLocaleString('en-US')} of them; nothing was appended`,
    );
  }
  for (const { id: accountId, origin } of accounts) {
    const currency = documents.get('accounts', set, accountId)?.currency;
    if (!currency) continue;
    throw new UserError(
      `${origin}: Expected an account that an import made, got ${accountId} with a currency of its own (${currency}); nothing was appended`,
    );
  }
}
