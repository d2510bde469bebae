// Reads a page of category groups with their categories, as they are served (read-api-v1.md, CategoryGroup).
import type { Category } from '../../../projections/documents.ts';
import type { CategoryGroup, Category as ServedCategory } from '../../../schemas/generated/api.ts';
import type { Reading } from '../snapshot.ts';
import { byPosition } from './by-position.ts';
import type { Page } from './named.ts';

export interface CategoriesQuery extends Page {
  readonly includeHidden: boolean;
}

/** `limit` and `offset` count groups. Hidden groups are left out with their categories; empty visible ones stay. */
export async function readCategoryGroups(
  { collections, options }: Reading,
  set: string,
  { includeHidden, limit, offset }: CategoriesQuery,
): Promise<CategoryGroup[]> {
  const [groups, categories] = await Promise.all([
    collections.groups.find({ set }, options).toArray(),
    collections.categories.find({ set }, options).toArray(),
  ]);
  const members = byGroup(categories.filter(({ hidden }) => includeHidden || !hidden));
  return groups
    .filter(({ hidden }) => includeHidden || !hidden)
    .sort(byPosition)
    .slice(offset, offset + limit)
    .map(({ id, name, hidden, budgetMode }) => ({
      id,
      name,
      hidden,
      budgetMode,
      categories: (members.get(id) ?? []).sort(byPosition).map(toAnswer),
    }));
}

function byGroup<T extends Pick<Category, 'groupId'>>(categories: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const category of categories) {
    const members = groups.get(category.groupId);
    if (members) members.push(category);
    else groups.set(category.groupId, [category]);
  }
  return groups;
}

function toAnswer({ id, groupId, name, hidden, note }: Category): ServedCategory {
  return { id, groupId, name, hidden, note };
}
