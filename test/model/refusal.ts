// The reason why an event contradicts earlier ones (rules/events.md#contradictions), or null.
import type {
  BudgetEvent,
  DomainEvent,
  SpaceEvent,
  TransactionEntered,
} from '../../schemas/generated/events.ts';
import { absolute, hundredthsOf, sum } from './money-text.ts';
import { type Budget, isOnBudget, type World } from './state.ts';

/** Every reason to park an event. The last three are found before its content is read. */
export const REFUSALS = [
  'before-created',
  'created-twice',
  'unknown-account',
  'unknown-category',
  'unknown-group',
  'unknown-label',
  'unknown-payee',
  'unknown-transaction',
  'account-exists',
  'category-exists',
  'group-exists',
  'label-exists',
  'payee-exists',
  'transaction-exists',
  'group-not-empty',
  'transfer-type-mismatch',
  'transfer-to-itself',
  'category-on-transfer',
  'native-fields-mismatch',
  'category-replaced-by-itself',
  'payee-merged-into-itself',
  'beyond-money-guard',
  'undecodable',
  'unknown-version',
  'conflict',
] as const;

export type Refusal = (typeof REFUSALS)[number];

const GUARD = 2n ** 51n;

export function refusalOf(world: World, event: DomainEvent): Refusal | null {
  return event.type.startsWith('space.')
    ? refusalInSpace(world, event as SpaceEvent)
    : refusalInBudget(world, event as BudgetEvent);
}

function refusalInSpace(world: World, event: SpaceEvent): Refusal | null {
  const exists = world.spaces.has(event.subject);
  if (event.type !== 'space.created') return exists ? null : 'before-created';
  return exists || world.budgets.has(event.subject) ? 'created-twice' : null;
}

function refusalInBudget(world: World, event: BudgetEvent): Refusal | null {
  const budget = world.budgets.get(event.subject);
  if (event.type === 'budget.created') {
    return budget || world.spaces.has(event.subject) ? 'created-twice' : null;
  }
  return budget ? refusalOfContent(budget, event) : 'before-created';
}

/** Returns the refusal of the first check that holds, written as `[holds, refusal]`. */
function firstFailed(...checks: (readonly [boolean, Refusal])[]): Refusal | null {
  return checks.find(([holds]) => !holds)?.[1] ?? null;
}

function refusalOfContent(budget: Budget, event: BudgetEvent): Refusal | null {
  const { accounts, groups, categories, payees, labels, rows } = budget;
  switch (event.type) {
    case 'budget.created':
    case 'budget.renamed':
    case 'budget.archived':
    case 'budget.deleted':
      return null;
    case 'account.opened':
      return firstFailed([!accounts.has(event.data.accountId), 'account-exists']);
    case 'account.renamed':
    case 'account.type-changed':
    case 'account.moved':
    case 'account.closed':
    case 'account.reopened':
    case 'account.deleted':
      return firstFailed([accounts.has(event.data.accountId), 'unknown-account']);
    case 'category-group.added':
      return firstFailed([!groups.has(event.data.groupId), 'group-exists']);
    case 'category-group.renamed':
    case 'category-group.moved':
    case 'category-group.hidden':
    case 'category-group.shown':
      return firstFailed([groups.has(event.data.groupId), 'unknown-group']);
    case 'category-group.deleted': {
      const { groupId } = event.data;
      const isEmpty = ![...categories.values()].some(category => category.groupId === groupId);
      return firstFailed([groups.has(groupId), 'unknown-group'], [isEmpty, 'group-not-empty']);
    }
    case 'category.added':
      return firstFailed(
        [!categories.has(event.data.categoryId), 'category-exists'],
        [groups.has(event.data.groupId), 'unknown-group'],
      );
    case 'category.renamed':
    case 'category.noted':
    case 'category.hidden':
    case 'category.shown':
    case 'envelope.carryover-set':
      return firstFailed([categories.has(event.data.categoryId), 'unknown-category']);
    case 'category.moved':
      return firstFailed(
        [categories.has(event.data.categoryId), 'unknown-category'],
        [groups.has(event.data.groupId), 'unknown-group'],
      );
    case 'category.deleted': {
      const { categoryId, replacementCategoryId: replacement } = event.data;
      return firstFailed(
        [categories.has(categoryId), 'unknown-category'],
        [replacement !== categoryId, 'category-replaced-by-itself'],
        [replacement === null || categories.has(replacement), 'unknown-category'],
      );
    }
    case 'payee.added':
      return firstFailed([!payees.has(event.data.payeeId), 'payee-exists']);
    case 'payee.renamed':
    case 'payee.deleted':
      return firstFailed([payees.has(event.data.payeeId), 'unknown-payee']);
    case 'payee.merged':
      return firstFailed(
        [payees.has(event.data.payeeId), 'unknown-payee'],
        [event.data.intoPayeeId !== event.data.payeeId, 'payee-merged-into-itself'],
        [payees.has(event.data.intoPayeeId), 'unknown-payee'],
      );
    case 'label.added':
      return firstFailed([!labels.has(event.data.labelId), 'label-exists']);
    case 'label.renamed':
    case 'label.deleted':
      return firstFailed([labels.has(event.data.labelId), 'unknown-label']);
    case 'transaction.entered':
      return (
        firstFailed([!rows.has(event.data.transactionId), 'transaction-exists']) ??
        refusalOfRow(budget, event.data)
      );
    case 'transaction.changed':
      return (
        firstFailed([rows.has(event.data.transactionId), 'unknown-transaction']) ??
        refusalOfRow(budget, event.data)
      );
    case 'transaction.deleted':
      return firstFailed([rows.has(event.data.transactionId), 'unknown-transaction']);
    case 'transaction.cleared':
    case 'transaction.uncleared':
    case 'transaction.reconciled':
      return firstFailed([
        event.data.transactionIds.every(id => rows.has(id)),
        'unknown-transaction',
      ]);
    case 'envelope.assigned': {
      const { categoryId, month, amount } = event.data;
      const before = budget.assigned.get(categoryId)?.get(month) ?? 0n;
      return firstFailed(
        [categories.has(categoryId), 'unknown-category'],
        [staysWithinGuard(budget, before, hundredthsOf(amount)), 'beyond-money-guard'],
      );
    }
    case 'month.held': {
      const before = budget.heldForNextMonth.get(event.data.month) ?? 0n;
      return firstFailed([
        staysWithinGuard(budget, before, hundredthsOf(event.data.amount)),
        'beyond-money-guard',
      ]);
    }
  }
}

function refusalOfRow(budget: Budget, data: TransactionEntered): Refusal | null {
  const { accounts, categories, payees, labels, rows } = budget;
  const account = accounts.get(data.accountId);
  const isTransfer = data.type === 'transfer';
  const other = data.transferAccountId ?? null;
  const category = data.categoryId ?? null;
  const isInner = isOnBudget(budget, data.accountId) && isOnBudget(budget, other);
  const hasOwnCurrency = (account?.currency ?? null) !== null;
  const before = rows.get(data.transactionId)?.amount ?? 0n;
  return firstFailed(
    [account !== undefined, 'unknown-account'],
    [other === null || accounts.has(other), 'unknown-account'],
    [category === null || categories.has(category), 'unknown-category'],
    [(data.payeeId ?? null) === null || payees.has(data.payeeId as string), 'unknown-payee'],
    [(data.labelIds ?? []).every(id => labels.has(id)), 'unknown-label'],
    [isTransfer === (other !== null), 'transfer-type-mismatch'],
    [other !== data.accountId, 'transfer-to-itself'],
    [!(isInner && category !== null), 'category-on-transfer'],
    [((data.amountNative ?? null) !== null) === hasOwnCurrency, 'native-fields-mismatch'],
    [((data.exchangeRate ?? null) !== null) === hasOwnCurrency, 'native-fields-mismatch'],
    [staysWithinGuard(budget, before, hundredthsOf(data.amount)), 'beyond-money-guard'],
    [staysWithinNativeGuard(budget, data), 'beyond-money-guard'],
  );
}

/** rules/events.md#the-money-guard: the absolute amounts of a budget's live rows, assigned amounts and holds. */
function staysWithinGuard(budget: Budget, before: bigint, after: bigint): boolean {
  const rows = sum(Array.from(budget.rows.values(), row => absolute(row.amount)));
  const assigned = sum(
    Array.from(budget.assigned.values(), months => sum(Array.from(months.values(), absolute))),
  );
  const total = rows + assigned + sum(budget.heldForNextMonth.values());
  return total - absolute(before) + absolute(after) <= GUARD;
}

/** rules/events.md#the-money-guard: the same bound for the native amounts of each account. */
function staysWithinNativeGuard(budget: Budget, data: TransactionEntered): boolean {
  const others = [...budget.rows.values()].filter(
    row => row.accountId === data.accountId && row.id !== data.transactionId,
  );
  const total = sum(others.map(row => absolute(row.amountNative ?? 0n)));
  return total + absolute(hundredthsOf(data.amountNative ?? '0.00')) <= GUARD;
}
