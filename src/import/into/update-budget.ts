// Brings a budget up to date with a file: compares the plan with what the budget holds, and makes events of what differs.
import { UserError } from '../../process/errors.ts';
import { type ImportedEvent, openedAccount } from '../import-events.ts';
import { createNameIds, type NameIds } from '../name-ids.ts';
import {
  type BudgetPlan,
  count,
  type PlannedAccount,
  type PlannedCategory,
  type PlannedGroup,
} from '../plan.ts';
import { type ChangeStamp, type Changes, type CurrentBudget, createChanges } from './changes.ts';
import { updateMonths, updateRows } from './update-amounts.ts';

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

/** Brings groups and categories up to date. */
function updateGroups({ groups, successors }: BudgetPlan, changes: Changes): void {
  for (const [position, group] of groups.entries()) updateGroup(group, position, changes);
  for (const { id, categories } of groups) {
    for (const [position, category] of categories.entries()) {
      updateCategory(category, { groupId: id, position }, changes);
    }
  }
  const wanted = new Set(groups.flatMap(({ categories }) => categories.map(({ id }) => id)));
  deleteCategories(wanted, successors.categories, changes);
  deleteGroups(new Set(groups.map(({ id }) => id)), changes);
}

function updateGroup(group: PlannedGroup, position: number, changes: Changes): void {
  const { documents, set, add } = changes;
  const { id: groupId, name, mode: budgetMode, hidden, origin } = group;
  const found = documents.get('groups', set, groupId);
  if (found && found.budgetMode !== budgetMode) empty(group, changes);
  const before = documents.get('groups', set, groupId);
  if (!before) {
    add(origin, 'category-group.added', { groupId, name, budgetMode, position });
    if (hidden) add(origin, 'category-group.hidden', { groupId });
    return;
  }
  if (before.name !== name) add(origin, 'category-group.renamed', { groupId, name });
  if (before.position !== position) add(origin, 'category-group.moved', { groupId, position });
  if (before.hidden !== hidden) {
    add(origin, hidden ? 'category-group.hidden' : 'category-group.shown', { groupId });
  }
}

function updateCategory(
  { id: categoryId, name, note, hidden, origin }: PlannedCategory,
  { groupId, position }: CategoryPlace,
  { documents, set, add }: Changes,
): void {
  const before = documents.get('categories', set, categoryId);
  if (!before) {
    add(origin, 'category.added', { categoryId, groupId, name, note, position });
    if (hidden) add(origin, 'category.hidden', { categoryId });
    return;
  }
  if (before.name !== name) add(origin, 'category.renamed', { categoryId, name });
  if (before.note !== note) add(origin, 'category.noted', { categoryId, note });
  if (before.groupId !== groupId || before.position !== position) {
    add(origin, 'category.moved', { categoryId, groupId, position });
  }
  if (before.hidden !== hidden) {
    add(origin, hidden ? 'category.hidden' : 'category.shown', { categoryId });
  }
}

/** Where the file names the category that took over, rows and assigned amounts go there as they did in the file. */
function deleteCategories(
  wanted: ReadonlySet<string>,
  successors: ReadonlyMap<string, string>,
  { documents, set, add }: Changes,
): void {
  for (const { id: categoryId, name } of documents.all('categories', set)) {
    if (wanted.has(categoryId)) continue;
    const successor = successors.get(categoryId);
    const replacementCategoryId =
      successor !== undefined && wanted.has(successor) ? successor : null;
    const origin = `the category ${JSON.stringify(name)}`;
    add(origin, 'category.deleted', { categoryId, replacementCategoryId });
  }
}

function deleteGroups(wanted: ReadonlySet<string>, { documents, set, add }: Changes): void {
  for (const { id: groupId, name } of documents.all('groups', set)) {
    if (wanted.has(groupId)) continue;
    add(`the group ${JSON.stringify(name)}`, 'category-group.deleted', { groupId });
  }
}

// No event changes a group's mode: it is added again, and another group keeps its categories meanwhile.
function empty(group: PlannedGroup, { documents, set, add }: Changes): void {
  const { id: groupId, name, mode: budgetMode, origin } = group;
  const inside = documents.all('categories', set).filter(one => one.groupId === groupId);
  if (inside.length > 0) {
    const meanwhile = `${groupId}~`;
    add(origin, 'category-group.added', { groupId: meanwhile, name, budgetMode });
    for (const { id: categoryId } of inside) {
      add(origin, 'category.moved', { categoryId, groupId: meanwhile });
    }
  }
  add(origin, 'category-group.deleted', { groupId });
}

interface CategoryPlace {
  readonly groupId: string;
  readonly position: number;
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
