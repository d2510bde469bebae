// Reads a page of category groups with their categories, as they are served (read-api-v1.md, CategoryGroup).
import type { Category, CategoryGroup } from '../../../projections/documents.ts';
import type {
  CategoryGroupSummary,
  Category as ServedCategory,
  CategoryGroup as ServedGroup,
} from '../../../schemas/generated/api.ts';
import { groupBy } from '../../group-by.ts';
import type { Reading } from '../snapshot.ts';
import { byPosition } from './by-position.ts';
import type { Page } from './named.ts';

export interface CategoriesQuery extends Page {
  readonly includeHidden: boolean;
}

/** `limit` and `offset` count groups. Hidden groups are left out with their categories; empty visible ones stay. */
export async function readCategoryGroups(
  reading: Reading,
  set: string,
  { includeHidden, limit, offset }: CategoriesQuery,
): Promise<ServedGroup[]> {
  const isShown = ({ hidden }: Pick<Category, 'hidden'>) => includeHidden || !hidden;
  const groups = await orderedGroups(reading, set);
  return groups
    .filter(({ group }) => isShown(group))
    .slice(offset, offset + limit)
    .map(({ group, categories }) => ({
      ...serveGroup(group),
      categories: categories.filter(isShown).map(serveCategory),
    }));
}

interface OrderedGroup {
  readonly group: CategoryGroup;
  readonly categories: readonly Category[];
}

/** Returns all groups of a set with all their categories, both in the order of /categories. */
export async function orderedGroups(
  { collections, options }: Reading,
  set: string,
): Promise<OrderedGroup[]> {
  const [groups, categories] = await Promise.all([
    collections.groups.find({ set }, options).toArray(),
    collections.categories.find({ set }, options).toArray(),
  ]);
  const members = groupBy(categories, ({ groupId }) => groupId);
  return groups.sort(byPosition).map(group => ({
    group,
    categories: (members.get(group.id) ?? []).sort(byPosition),
  }));
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
