// Reads which budgets users reach, and how far these are: what streams tell.
import type { StoredHead } from '../../heads.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { spacesOf } from './reach.ts';

/** What a user reaches. */
export interface Reach {
  /** Ids of the spaces that the user is a member of. */
  readonly spaces: readonly string[];
  /** Positions by the id of the budget. */
  readonly positions: ReadonlyMap<string, number>;
}

export type BudgetPositions = ReadonlyMap<string, number>;

type FoundBudget = Pick<StoredHead, '_id' | 'sequence' | 'set' | 'budget'>;
const BUDGET_FIELDS = { sequence: 1, set: 1, 'budget.spaceId': 1 } as const;

/** Returns what each user reaches. */
export async function findReach(
  { collections: { heads }, options }: Reading,
  owners: readonly string[],
): Promise<Map<string, Reach>> {
  const found = await heads
    .aggregate<{ _id: string; members: string[] }>(spacesOf(owners, {}), {
      ...options,
      ...ONE_REPLY,
    })
    .toArray();
  const budgets = await heads
    .find(
      { 'budget.spaceId': { $in: found.map(({ _id }) => _id) }, deleted: false },
      { ...options, ...ONE_REPLY },
    )
    .project<FoundBudget>(BUDGET_FIELDS)
    .toArray();
  const reaches = new Map(
    owners.map(owner => [owner, { spaces: [] as string[], positions: new Map<string, number>() }]),
  );
  const membersOf = new Map(found.map(({ _id, members }) => [_id, members]));
  for (const [space, members] of membersOf) {
    for (const owner of members) reaches.get(owner)?.spaces.push(space);
  }
  for (const { _id, sequence, set, budget } of budgets) {
    if (set === null || budget === null) continue;
    for (const owner of membersOf.get(budget.spaceId) ?? []) {
      reaches.get(owner)?.positions.set(_id, sequence);
    }
  }
  return reaches;
}

/** Returns the positions of budgets; those that are deleted or missing are left out. */
export async function findPositions(
  { collections: { heads }, options }: Reading,
  ids: readonly string[],
): Promise<BudgetPositions> {
  const found = await heads
    .find({ _id: { $in: [...ids] }, deleted: false }, { ...options, ...ONE_REPLY })
    .project<FoundBudget>(BUDGET_FIELDS)
    .toArray();
  const budgets = found.filter(({ set }) => set !== null);
  return new Map(budgets.map(({ _id, sequence }) => [_id, sequence]));
}
