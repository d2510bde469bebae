// The effects of events on categories, their groups and their envelopes: assigned amounts, carry-over, and money held for
// next month.
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { type Change, type Effect, invalid, put } from '../change.ts';
import type { Category, CategoryGroup } from '../documents.ts';
import { parseMoney } from '../money.ts';
import { type BudgetContext, changeRows, find, madeTwice, nameFields, unknown } from './context.ts';

export type GroupEvent = Extract<BudgetEvent, { type: `category-group.${string}` }>;
export type CategoryEvent = Extract<BudgetEvent, { type: `category.${string}` }>;

export function evolveGroup(context: BudgetContext, event: GroupEvent): Effect {
  const { groupId } = event.data;
  const group = find(context, 'groups', groupId);
  if (event.type === 'category-group.added') {
    if (group) return madeTwice('groups', groupId);
    const { name, budgetMode, position } = event.data;
    const added = {
      ...nameFields(name),
      hidden: false,
      budgetMode,
      position: position ?? null,
      size: 0,
      changed: event.sequence,
    };
    return [put('groups', groupId, { set: context.set, id: groupId, ...added })];
  }
  if (!group) return unknown('groups', groupId);
  switch (event.type) {
    case 'category-group.renamed':
      return [put('groups', groupId, { ...group, ...nameFields(event.data.name) })];
    case 'category-group.moved':
      return [put('groups', groupId, { ...group, position: event.data.position })];
    case 'category-group.hidden':
      return [put('groups', groupId, { ...group, hidden: true })];
    case 'category-group.shown':
      return [put('groups', groupId, { ...group, hidden: false })];
    case 'category-group.deleted':
      if (group.size === 0) return [put('groups', groupId, null)];
      return invalid(`The category group ${groupId} still holds ${group.size} categories`);
  }
}

export function evolveCategory(context: BudgetContext, event: CategoryEvent): Effect {
  const { categoryId } = event.data;
  const category = find(context, 'categories', categoryId);
  if (event.type === 'category.added') {
    return category ? madeTwice('categories', categoryId) : added(context, event);
  }
  if (!category) return unknown('categories', categoryId);
  switch (event.type) {
    case 'category.renamed':
      return [
        ...changed(category, nameFields(event.data.name)),
        ...changeRows(context, event, () => ({ categoryName: event.data.name })),
      ];
    case 'category.noted':
      return changed(category, { note: event.data.note ?? null });
    case 'category.hidden':
      return changed(category, { hidden: true });
    case 'category.shown':
      return changed(category, { hidden: false });
    case 'category.moved':
      return moved(context, category, event.data);
    case 'category.deleted':
      return deleted(context, category, event);
  }
}

function changed(category: Category, fields: Partial<Category>): Change[] {
  return [put('categories', category.id, { ...category, ...fields })];
}

function resized(group: CategoryGroup, by: 1 | -1): Change {
  return put('groups', group.id, { ...group, size: group.size + by });
}

function added(
  context: BudgetContext,
  { data, sequence }: Extract<CategoryEvent, { type: 'category.added' }>,
): Effect {
  const group = find(context, 'groups', data.groupId);
  if (!group) return unknown('groups', data.groupId);
  const category: Category = {
    set: context.set,
    id: data.categoryId,
    groupId: group.id,
    budgetMode: group.budgetMode,
    ...nameFields(data.name),
    hidden: false,
    note: data.note ?? null,
    position: data.position ?? null,
    entry: sequence,
    changed: sequence,
  };
  return [put('categories', category.id, category), resized(group, 1)];
}

// In a group of another mode all months of the category count differently: projections/reconcile.ts recalculates them.
function moved(
  context: BudgetContext,
  category: Category,
  { groupId, position = null }: Extract<CategoryEvent, { type: 'category.moved' }>['data'],
): Effect {
  const to = find(context, 'groups', groupId);
  if (!to) return unknown('groups', groupId);
  const change = changed(category, { groupId, budgetMode: to.budgetMode, position });
  if (groupId === category.groupId) return change;
  const from = find(context, 'groups', category.groupId);
  if (!from) throw new Error(`Category ${category.id} is in no group`);
  return [...change, resized(from, -1), resized(to, 1)];
}

function deleted(
  context: BudgetContext,
  category: Category,
  event: Extract<CategoryEvent, { type: 'category.deleted' }>,
): Effect {
  const replacement = event.data.replacementCategoryId ?? null;
  if (replacement === category.id) return invalid(`Category ${replacement} cannot replace itself`);
  const into = replacement === null ? null : find(context, 'categories', replacement);
  if (replacement !== null && !into) return unknown('categories', replacement);
  const group = find(context, 'groups', category.groupId);
  if (!group) throw new Error(`Category ${category.id} is in no group`);
  return [
    ...changeRows(context, event, () => ({ categoryName: into?.name ?? null })),
    ...movedAssignments(context, category.id, into?.id ?? null),
    put('categories', category.id, null),
    resized(group, -1),
  ];
}

// Assigned amounts move to the replacement, or are lost without one; carry-over marks go with the category.
function movedAssignments(context: BudgetContext, from: string, to: string | null): Change[] {
  const { documents, set } = context;
  const { cells, carry } = documents.get('categoryMonths', set, from) ?? { cells: {}, carry: {} };
  const changes: Change[] = [];
  for (const [month, { assigned }] of Object.entries(cells)) {
    if (assigned === 0) continue;
    changes.push({ kind: 'assigned', categoryId: from, month, amount: 0 });
    if (to === null) continue;
    const present = documents.get('categoryMonths', set, to)?.cells[month]?.assigned ?? 0;
    changes.push({ kind: 'assigned', categoryId: to, month, amount: present + assigned });
  }
  for (const month of Object.keys(carry)) {
    changes.push({ kind: 'carry', categoryId: from, month, carriesOver: null });
  }
  return changes;
}

/** The effects of events on envelopes: assigned amounts, carry-over, and money held for next month. */
export type EnvelopeEvent = Extract<BudgetEvent, { type: `envelope.${string}` | 'month.held' }>;

export function evolveEnvelope(context: BudgetContext, event: EnvelopeEvent): Effect {
  const { month } = event.data;
  if (event.type === 'month.held') {
    return [{ kind: 'held', month, amount: parseMoney(event.data.amount) }];
  }
  const { categoryId } = event.data;
  if (!find(context, 'categories', categoryId)) return unknown('categories', categoryId);
  switch (event.type) {
    case 'envelope.assigned':
      return [{ kind: 'assigned', categoryId, month, amount: parseMoney(event.data.amount) }];
    case 'envelope.carryover-set':
      return [{ kind: 'carry', categoryId, month, carriesOver: event.data.carriesOver }];
  }
}
