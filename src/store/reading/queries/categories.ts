// Reads a page of category groups with their categories, as they are served (rules/api.md#category-groups).
import type { Category, CategoryGroup } from '../../../../projections/documents.ts';
import { normalizeText } from '../../../../projections/normalize-text.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type {
  CategoryGroupSummary,
  Category as ServedCategory,
  CategoryGroup as ServedGroup,
} from '../../../../schemas/generated/api.ts';
import { groupBy } from '../../../process/group-by.ts';
import { documentOf } from '../../document-storage.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { byPosition } from './by-position.ts';
import type { PageRange } from './named.ts';
import { documentsIn, firstRawBatch, rawBatches } from './raw-batches.ts';
import type { RoomySource } from './room.ts';

export interface CategoriesQuery extends PageRange {
  readonly includeHidden: boolean;
  /** Keeps the categories of this name. */
  readonly name?: string;
}

/** For each byte of a category: itself, its text, the text of the answer, and its bytes. */
const COPIES = 4;
/** Of the notes of a page, where those of all categories exceed a message of the store (16 MB). */
const NOTES_BYTES_MAX = 10_000_000;

/**
 * `limit` and `offset` count groups. Hidden groups are left out with their categories; empty visible ones stay, but not
 * where a name is given. Instead of a page with too long notes, returns for how many groups it would have room: for one,
 * however long its notes are.
 */
export async function readCategoryGroups(
  { reading, set, takeRoom }: RoomySource,
  query: CategoriesQuery,
): Promise<ServedGroup[] | { readonly groupsMax: number }> {
  const find = reading.collections.categories.collectionName;
  const makeRoom = (bytes: number) => takeRoom(bytes * COPIES);
  const [groups, { batch, isCut }] = await Promise.all([
    readGroups(reading, set),
    firstRawBatch(reading, { find, filter: { set }, ...ONE_REPLY }),
  ]);
  if (!isCut) {
    makeRoom(batch.length);
    return pageOf(inOrder(groups, categoriesIn(batch)), query).map(serve);
  }
  const page = pageOf(inOrder(groups, await readUnnoted(reading, set)), query);
  const groupsMax = groupsWithin(page, NOTES_BYTES_MAX);
  if (page.length > groupsMax) return { groupsMax };
  const ids = page.flatMap(({ categories }) => categories.map(({ id }) => keyOf(set, id)));
  const filter = { _id: { $in: ids } };
  const noted = await rawBatches(reading, { find, filter, ...ONE_REPLY }, makeRoom);
  const ordered = inOrder(
    page.map(({ group }) => group),
    noted.flatMap(categoriesIn),
  );
  return ordered.map(serve);
}

function categoriesIn(batch: Buffer): Category[] {
  return documentsIn(batch).map(stored => documentOf('categories', stored));
}

/** What the order and the filters need of a category. */
type Unnoted = Pick<Category, 'id' | 'groupId' | 'name' | 'nameKey' | 'hidden' | 'position'>;

interface OrderedGroup<C> {
  readonly group: CategoryGroup;
  readonly categories: readonly C[];
}

/** Returns all groups of a set with all their categories but for their notes, both in the order of /categories. */
export async function orderedGroups(
  reading: Reading,
  set: string,
): Promise<OrderedGroup<Unnoted>[]> {
  const [groups, categories] = await Promise.all([
    readGroups(reading, set),
    readUnnoted(reading, set),
  ]);
  return inOrder(groups, categories);
}

async function readGroups({ collections, options }: Reading, set: string) {
  return await collections.groups.find({ set }, { ...options, ...ONE_REPLY }).toArray();
}

interface Sized extends Unnoted {
  readonly noteBytes: number;
}

const SIZED = {
  ...{ id: 1, groupId: 1, name: 1, nameKey: 1, hidden: 1, position: 1 },
  noteBytes: { $strLenBytes: { $ifNull: ['$note', ''] } },
};

async function readUnnoted({ collections, options }: Reading, set: string): Promise<Sized[]> {
  return await collections.categories
    .find<Sized>({ set }, { ...options, ...ONE_REPLY, projection: SIZED })
    .toArray();
}

function inOrder<C extends Unnoted>(
  groups: readonly CategoryGroup[],
  categories: readonly C[],
): OrderedGroup<C>[] {
  const members = groupBy(categories, ({ groupId }) => groupId);
  return groups.toSorted(byPosition).map(group => ({
    group,
    categories: (members.get(group.id) ?? []).toSorted(byPosition),
  }));
}

function pageOf<C extends Unnoted>(
  groups: readonly OrderedGroup<C>[],
  { includeHidden, name, limit, offset }: CategoriesQuery,
): OrderedGroup<C>[] {
  const isShown = ({ hidden }: Pick<Category, 'hidden'>) => includeHidden || !hidden;
  const nameKey = name === undefined ? null : normalizeText(name);
  const isWanted = (category: C) =>
    isShown(category) && (nameKey === null || category.nameKey === nameKey);
  return groups
    .filter(({ group }) => isShown(group))
    .map(({ group, categories }) => ({ group, categories: categories.filter(isWanted) }))
    .filter(({ categories }) => nameKey === null || categories.length > 0)
    .slice(offset, offset + limit);
}

/** Returns how many of the first groups have notes of so many bytes together; at least one. */
function groupsWithin(page: readonly OrderedGroup<Sized>[], bytesMax: number): number {
  let bytes = 0;
  const tooLong = page.findIndex(({ categories }) => {
    for (const { noteBytes } of categories) bytes += noteBytes;
    return bytes > bytesMax;
  });
  return tooLong === -1 ? page.length : Math.max(1, tooLong);
}

function serve({ group, categories }: OrderedGroup<Category>): ServedGroup {
  return { ...serveGroup(group), categories: categories.map(serveCategory) };
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
