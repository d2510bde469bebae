// Brings groups and categories up to date.
import type { BudgetPlan, PlannedCategory, PlannedGroup } from '../plan.ts';
import type { Changes } from './changes.ts';

export function updateGroups({ groups, successors }: BudgetPlan, changes: Changes): void {
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
