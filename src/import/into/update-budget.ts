// Brings a budget up to date with a file: compares the plan with what the budget holds, and makes events of what differs.
import { UserError } from '../../process/errors.ts';
import { type ImportedEvent, openedAccount } from '../import-events.ts';
import { createNameIds, type NameIds } from '../name-ids.ts';
import { type BudgetPlan, count, type PlannedAccount } from '../plan.ts';
import { type ChangeStamp, type Changes, type CurrentBudget, createChanges } from './changes.ts';
import { updateMonths, updateRows } from './update-amounts.ts';
import { updateGroups } from './update-groups.ts';

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

/** Brings accounts up to date. */
function updateAccounts({ accounts }: BudgetPlan, changes: Changes): void {
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

function updateClosed({ accounts }: BudgetPlan, { documents, set, add }: Changes): void {
  for (const { id: accountId, closed, origin } of accounts) {
    if (documents.get('accounts', set, accountId)?.closed === closed) continue;
    add(origin, closed ? 'account.closed' : 'account.reopened', { accountId });
  }
}

/** A payee that the file merged into another is merged here too, so its rows need no events of their own. */
function updatePayees({ payees, successors }: BudgetPlan, changes: Changes): void {
  const { documents, set, add } = changes;
  const wanted = new Set(payees.map(({ id }) => id));
  for (const { id: payeeId, name, origin } of payees) {
    const before = documents.get('payees', set, payeeId);
    if (!before) add(origin, 'payee.added', { payeeId, name });
    else if (before.name !== name) add(origin, 'payee.renamed', { payeeId, name });
  }
  for (const { id: payeeId, name } of documents.all('payees', set)) {
    if (wanted.has(payeeId)) continue;
    const intoPayeeId = successors.payees.get(payeeId);
    const origin = `the payee ${JSON.stringify(name)}`;
    if (intoPayeeId !== undefined && wanted.has(intoPayeeId)) {
      add(origin, 'payee.merged', { payeeId, intoPayeeId });
    } else add(origin, 'payee.deleted', { payeeId });
  }
}

/** Files have no ids of labels, so they are found again by name. Returns the ids of all names in the plan. */
function updateLabels({ rows }: BudgetPlan, changes: Changes): NameIds {
  const { documents, set, add } = changes;
  const current = documents.all('labels', set);
  const labels = createNameIds('label', current);
  const wanted = new Set<string>();
  for (const { labels: names, origin } of rows) {
    for (const name of names) wanted.add(labels.idOf(name, origin));
  }
  for (const { id: labelId, name, origin } of labels.all()) {
    const isThere = documents.get('labels', set, labelId) !== null;
    if (wanted.has(labelId) && !isThere) add(origin, 'label.added', { labelId, name });
  }
  for (const { id: labelId, name } of current) {
    if (wanted.has(labelId)) continue;
    add(`the label ${JSON.stringify(name)}`, 'label.deleted', { labelId });
  }
  return labels;
}
