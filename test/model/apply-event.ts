// The effect of each valid event (docs/events.md), in one plain statement each.
import type { BudgetEvent, DomainEvent, SpaceEvent } from '../../schemas/generated/events.ts';
import { shownTime } from './calendar.ts';
import { deleteAccount, deleteCategory, found, put, replacePayee, rowOf } from './consequences.ts';
import { hundredthsOf } from './money-text.ts';
import type { Budget, World } from './state.ts';

export function applyEvent(world: World, event: DomainEvent): void {
  if (event.type.startsWith('space.')) {
    applyToSpace(world, event as SpaceEvent);
  } else if (event.type === 'budget.created') {
    world.budgets.set(event.subject, emptyBudget(event.subject, event.data, shownTime(event.time)));
  } else if (event.type === 'budget.deleted') {
    world.budgets.delete(event.subject);
  } else {
    applyToBudget(found(world.budgets, event.subject), event as BudgetEvent);
  }
}

function applyToSpace(world: World, event: SpaceEvent): void {
  const id = event.subject;
  switch (event.type) {
    case 'space.created':
      world.spaces.set(id, { id, name: event.data.name, members: new Set() });
      return;
    case 'space.renamed':
      found(world.spaces, id).name = event.data.name;
      return;
    case 'space.member-added':
      found(world.spaces, id).members.add(event.data.userId);
      return;
    case 'space.member-removed':
      found(world.spaces, id).members.delete(event.data.userId);
      return;
  }
}

function emptyBudget(
  id: string,
  data: { spaceId: string; name: string; currency: string },
  createdAt: string,
): Budget {
  return {
    id,
    spaceId: data.spaceId,
    name: data.name,
    currency: data.currency,
    createdAt,
    archivedAt: null,
    accounts: new Map(),
    groups: new Map(),
    categories: new Map(),
    payees: new Map(),
    labels: new Map(),
    rows: new Map(),
    assigned: new Map(),
    carriesOver: new Map(),
    heldForNextMonth: new Map(),
  };
}

function applyToBudget(budget: Budget, event: BudgetEvent): void {
  const { accounts, groups, categories, payees, labels, rows } = budget;
  switch (event.type) {
    case 'budget.created':
    case 'budget.deleted':
      return;
    case 'budget.renamed':
      budget.name = event.data.name;
      return;
    case 'budget.archived':
      budget.archivedAt ??= shownTime(event.time);
      return;
    case 'account.opened': {
      const { accountId: id, name, type, onBudget, currency, position = null } = event.data;
      const createdAt = shownTime(event.time);
      accounts.set(id, { id, name, type, onBudget, currency, position, closed: false, createdAt });
      return;
    }
    case 'account.renamed':
      found(accounts, event.data.accountId).name = event.data.name;
      return;
    case 'account.type-changed':
      found(accounts, event.data.accountId).type = event.data.type;
      return;
    case 'account.moved':
      found(accounts, event.data.accountId).position = event.data.position;
      return;
    case 'account.closed':
      found(accounts, event.data.accountId).closed = true;
      return;
    case 'account.reopened':
      found(accounts, event.data.accountId).closed = false;
      return;
    case 'account.deleted':
      deleteAccount(budget, event.data.accountId);
      return;
    case 'category-group.added': {
      const { groupId: id, name, budgetMode, position = null } = event.data;
      groups.set(id, { id, name, budgetMode, position, hidden: false });
      return;
    }
    case 'category-group.renamed':
      found(groups, event.data.groupId).name = event.data.name;
      return;
    case 'category-group.moved':
      found(groups, event.data.groupId).position = event.data.position;
      return;
    case 'category-group.hidden':
      found(groups, event.data.groupId).hidden = true;
      return;
    case 'category-group.shown':
      found(groups, event.data.groupId).hidden = false;
      return;
    case 'category-group.deleted':
      groups.delete(event.data.groupId);
      return;
    case 'category.added': {
      const { categoryId: id, groupId, name, note = null, position = null } = event.data;
      categories.set(id, { id, groupId, name, note, position, hidden: false });
      return;
    }
    case 'category.renamed':
      found(categories, event.data.categoryId).name = event.data.name;
      return;
    case 'category.noted':
      found(categories, event.data.categoryId).note = event.data.note;
      return;
    case 'category.hidden':
      found(categories, event.data.categoryId).hidden = true;
      return;
    case 'category.shown':
      found(categories, event.data.categoryId).hidden = false;
      return;
    case 'category.moved': {
      // A missing `position` is null (rules/events.md#value-grammar), for a move as for an addition.
      const { categoryId, groupId, position = null } = event.data;
      Object.assign(found(categories, categoryId), { groupId, position });
      return;
    }
    case 'category.deleted':
      deleteCategory(budget, event.data.categoryId, event.data.replacementCategoryId);
      return;
    case 'payee.added':
      payees.set(event.data.payeeId, { id: event.data.payeeId, name: event.data.name });
      return;
    case 'payee.renamed':
      found(payees, event.data.payeeId).name = event.data.name;
      return;
    case 'payee.merged':
      replacePayee(budget, event.data.payeeId, event.data.intoPayeeId);
      return;
    case 'payee.deleted':
      replacePayee(budget, event.data.payeeId, null);
      return;
    case 'label.added':
      labels.set(event.data.labelId, { id: event.data.labelId, name: event.data.name });
      return;
    case 'label.renamed':
      found(labels, event.data.labelId).name = event.data.name;
      return;
    case 'label.deleted': {
      const { labelId } = event.data;
      for (const row of rows.values()) row.labelIds = row.labelIds.filter(id => id !== labelId);
      labels.delete(labelId);
      return;
    }
    case 'transaction.entered': {
      const createdAt = shownTime(event.time);
      rows.set(event.data.transactionId, rowOf(event.data, event.sequence, createdAt));
      return;
    }
    case 'transaction.changed': {
      const { entered, createdAt } = found(rows, event.data.transactionId);
      rows.set(event.data.transactionId, rowOf(event.data, entered, createdAt));
      return;
    }
    case 'transaction.deleted':
      rows.delete(event.data.transactionId);
      return;
    case 'transaction.cleared':
      for (const id of event.data.transactionIds) found(rows, id).cleared = true;
      return;
    case 'transaction.uncleared':
      for (const id of event.data.transactionIds) {
        Object.assign(found(rows, id), { cleared: false, reconciled: false });
      }
      return;
    case 'transaction.reconciled':
      for (const id of event.data.transactionIds) {
        Object.assign(found(rows, id), { cleared: true, reconciled: true });
      }
      return;
    case 'envelope.assigned': {
      const { categoryId, month, amount } = event.data;
      put(budget.assigned, { categoryId, month }, hundredthsOf(amount));
      return;
    }
    case 'envelope.carryover-set': {
      const { categoryId, month, carriesOver } = event.data;
      put(budget.carriesOver, { categoryId, month }, carriesOver);
      return;
    }
    case 'month.held':
      budget.heldForNextMonth.set(event.data.month, hundredthsOf(event.data.amount));
      return;
  }
}
