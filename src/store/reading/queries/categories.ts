// Reads a page of category groups with their categories, as they are served (rules/api.md#category-groups).
import type { Category, CategoryGroup } from '../../../../projections/documents.ts';
import { normalizeText } from '../../../../projections/normalize-text.ts';
import type {
  CategoryGroupSummary,
  Category as ServedCategory,
  CategoryGroup as ServedGroup,
} from '../../../../schemas/generated/api.ts';
import { groupBy } from '../../../process/group-by.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { byPosition } from './by-position.ts';
import type { PageRange } from './named.ts';

export interface CategoriesQuery extends PageRange {
  readonly includeHidden: boolean;
  /** Keeps the categories of this name. */
  readonly name?: string;
}

/**
 * `limit` and `offset` count groups. Hidden groups are left out with their categories; empty visible ones stay, but not
 * where a name is given.
 */
export async function readCategoryGroups(
  reading: Reading,
  set: string,
  { includeHidden, name, limit, offset }: CategoriesQuery,
): Promise<ServedGroup[]> {
  const isShown = ({ hidden }: Pick<Category, 'hidden'>) => includeHidden || !hidden;
  const nameKey = name === undefined ? null : normalizeText(name);
  const isWanted = (category: Category) =>
    isShown(category) && (nameKey === null || category.nameKey === nameKey);
  const groups = await orderedGroups(reading, set);
  return groups
    .filter(({ group }) => isShown(group))
    .map(({ group, categories }) => ({ group, categories: categories.filter(isWanted) }))
    .filter(({ categories }) => nameKey === null || categories.length > 0)
    .slice(offset, offset + limit)
    .map(({ group, categories }) => ({
      ...serveGroup(group),
      categories: categories.map(serveCategory),
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
    collections.groups.find({ set }, { ...options, ...ONE_REPLY }).toArray(),
    collections.categories.find({ set }, { ...options, ...ONE_REPLY }).toArray(),
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
