// Reads a page of category groups with their categories, as they are served (read-api-v1.md, CategoryGroup).
import type { Category } from '../../../projections/documents.ts';
import type {
  CategoryGroup,
  CategoryGroupSummary,
  Category as ServedCategory,
} from '../../../schemas/generated/api.ts';
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
    .map(group => ({
      ...serveGroup(group),
      categories: (members.get(group.id) ?? []).sort(byPosition).map(serveCategory),
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

/** Returns a group as it is served, without its categories. */
export function serveGroup({
  id,
  name,
  hidden,
  budgetMode,
}: CategoryGroupSummary): CategoryGroupSummary {
  return { id, name, hidden, budgetMode };
}

export function serveCategory({ id, groupId, name, hidden, note }: ServedCategory): ServedCategory {
  return { id, groupId, name, hidden, note };
}
