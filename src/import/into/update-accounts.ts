// Brings accounts up to date.
import { openedAccount } from '../import-events.ts';
import type { BudgetPlan, PlannedAccount } from '../plan.ts';
import type { Changes } from './changes.ts';

export function updateAccounts({ accounts }: BudgetPlan, changes: Changes): void {
  const { documents, set, add } = changes;
  const wanted = new Set(accounts.map(({ id }) => id));
  for (const { id: accountId, name } of documents.all('accounts', set)) {
    if (wanted.has(accountId)) continue;
    add(`the account ${JSON.stringify(name)}`, 'account.deleted', { accountId });
  }
  for (const [position, account] of accounts.entries()) updateAccount(account, position, changes);
}

function updateAccount(
  account: PlannedAccount,
  position: number,
  { documents, set, add }: Changes,
): void {
  const { id: accountId, name, type, onBudget, origin } = account;
  const before = documents.get('accounts', set, accountId);
  if (before?.onBudget === onBudget) {
    if (before.name !== name) add(origin, 'account.renamed', { accountId, name });
    if (before.type !== type) add(origin, 'account.type-changed', { accountId, type });
    if (before.position !== position) add(origin, 'account.moved', { accountId, position });
    return;
  }
  // No event moves an account on or off budget: it is opened again, and its rows are entered again.
  if (before) add(origin, 'account.deleted', { accountId });
  add(origin, 'account.opened', openedAccount(account, position));
}

export function updateClosed({ accounts }: BudgetPlan, { documents, set, add }: Changes): void {
  for (const { id: accountId, closed, origin } of accounts) {
    if (documents.get('accounts', set, accountId)?.closed === closed) continue;
    add(origin, closed ? 'account.closed' : 'account.reopened', { accountId });
  }
}
