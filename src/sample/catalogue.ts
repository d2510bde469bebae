// The catalogue of a sample budget by the names in its plan: accounts, categories, payees and labels.

import { monthOf } from '../process/calendar.ts';
import { accountOf, balanceOf, type SampleBudget } from './budget.ts';
import type { AccountPlan, CategoryPlan } from './plan.ts';
import { enterRow } from './rows.ts';

type Kind = 'account' | 'group' | 'category' | 'payee' | 'label';

/** Returns the id that a name of the plan stands for, whether or not it exists now. */
export function idOf({ ids }: SampleBudget, kind: Kind, name: string): string {
  const key = `${kind}-${name}`;
  const known = ids.get(key);
  if (known !== undefined) return known;
  const letters = key.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  const id = letters.replaceAll(/[^a-z0-9]+/g, '-').replace(/-$/, '');
  ids.set(key, id);
  return id;
}

/** Adds the groups and categories of the plan and opens its accounts, with the balances of `before` if given. */
export function moveIn(budget: SampleBudget, before?: SampleBudget): void {
  const { groups, accounts } = budget.plan;
  for (const [position, { name, mode, categories }] of groups.entries()) {
    const groupId = idOf(budget, 'group', name);
    budget.emit('category-group.added', { groupId, name, budgetMode: mode, position });
    for (const [index, plan] of categories.entries()) {
      if (!plan.isLater) addCategory(budget, name, { ...plan, position: index });
    }
  }
  for (const [position, plan] of accounts.entries()) {
    const accountId = openAccount(budget, plan, position);
    const amount = before ? balanceOf(before, accountId) : plan.opening;
    if (amount === 0) continue;
    const { onBudget } = accountOf(budget, accountId);
    const categoryId = onBudget ? findCategory(budget, 'Starting Balances') : null;
    const opening = { type: 'startingBalance', categoryId, cleared: true } as const;
    enterRow(budget, { accountId, date: budget.today, amount, ...opening });
  }
}

export function openAccount(
  budget: SampleBudget,
  plan: AccountPlan,
  position: number | null,
): string {
  const { key, name, type, onBudget = true, currency = null } = plan;
  const accountId = idOf(budget, 'account', key);
  budget.emit('account.opened', { accountId, name, type, onBudget, currency, position });
  return accountId;
}

export function addCategory(
  budget: SampleBudget,
  group: string,
  plan: CategoryPlan & { readonly position: number | null },
): void {
  const { name, note = null, carriesOver = false, position } = plan;
  const categoryId = idOf(budget, 'category', name);
  const groupId = idOf(budget, 'group', group);
  budget.emit('category.added', { categoryId, groupId, name, note, position });
  if (carriesOver) carryOver(budget, name);
}

/** Lets overspending stay in the envelope from this month on. */
export function carryOver(budget: SampleBudget, category: string): void {
  const categoryId = idOf(budget, 'category', category);
  const month = monthOf(budget.today);
  budget.emit('envelope.carryover-set', { month, categoryId, carriesOver: true });
}

/** Returns the id of the category, or of its replacement; null if it does not exist now. */
export function findCategory(budget: SampleBudget, name: string): string | null {
  const categoryId = idOf(budget, 'category', name);
  return budget.documents.get('categories', budget.id, categoryId) && categoryId;
}

/** Returns the id of the payee, which is added if it does not exist. */
export function payeeOf(budget: SampleBudget, name: string): string {
  const payeeId = idOf(budget, 'payee', name);
  const known = budget.documents.get('payees', budget.id, payeeId);
  if (known === null) budget.emit('payee.added', { payeeId, name });
  return payeeId;
}

/** Returns the id of the label, which is added if it does not exist. */
export function labelOf(budget: SampleBudget, name: string): string {
  const labelId = idOf(budget, 'label', name);
  const known = budget.documents.get('labels', budget.id, labelId);
  if (known === null) budget.emit('label.added', { labelId, name });
  return labelId;
}

export function mergePayee(budget: SampleBudget, name: string, intoName: string): void {
  const payeeId = payeeOf(budget, name);
  const intoPayeeId = payeeOf(budget, intoName);
  budget.emit('payee.merged', { payeeId, intoPayeeId });
  budget.ids.set(`payee-${name}`, intoPayeeId);
}

/** The name means the replacement from now on, or nothing without one. */
export function deleteCategory(
  budget: SampleBudget,
  name: string,
  replacement: string | null,
): void {
  const categoryId = idOf(budget, 'category', name);
  const replacementCategoryId = replacement && findCategory(budget, replacement);
  budget.emit('category.deleted', { categoryId, replacementCategoryId });
  if (replacementCategoryId) budget.ids.set(`category-${name}`, replacementCategoryId);
}
