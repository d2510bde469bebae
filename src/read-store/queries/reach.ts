// The budgets that a user reaches: those of every space that the user is a member of.
import type { Document } from 'mongodb';
import type { BudgetFields, Held, SpaceFields } from '../../../projections/documents.ts';
import type { StoredHead } from '../collections.ts';
import type { Reading } from '../snapshot.ts';

export interface ReachedBudget {
  readonly id: string;
  /** Last applied sequence: its position. */
  readonly sequence: number;
  readonly set: string;
  /** Since when its events wait, null when they do not. */
  readonly held: Pick<Held, 'since'> | null;
  readonly budget: BudgetFields;
}

export interface ReachedSpace {
  readonly id: string;
  readonly sequence: number;
  readonly name: string | null;
  readonly budgets: readonly ReachedBudget[];
}

interface FoundSpace {
  _id: string;
  sequence: number;
  space: Pick<SpaceFields, 'name'>;
  budgets: FoundBudget[];
}

type FoundBudget = Pick<StoredHead, '_id' | 'sequence' | 'set' | 'budget'> & {
  /** A projection of a part leaves the whole out where that is null. */
  held?: Pick<Held, 'since'>;
};

/**
 * The budget of that id, or null. The look-up begins at the user's own spaces and asks for the id within
 * them, so that it does the same work for another's budget as for one that is not there.
 */
export async function findBudget(
  reading: Reading,
  owner: string,
  budgetId: string,
): Promise<ReachedBudget | null> {
  const spaces = await findSpaces(reading, owner, only(budgetId));
  return spaces.flatMap(space => space.budgets)[0] ?? null;
}

/** In a form that no index answers: by its index, an id that is there would cost more than one that is not. */
function only(budgetId: string): Document {
  return { $expr: { $in: ['$_id', [{ $literal: budgetId }]] } };
}

/** The user's spaces with all their budgets, in no particular order. */
export async function findSpacesOf(reading: Reading, owner: string): Promise<ReachedSpace[]> {
  return await findSpaces(reading, owner, {});
}

async function findSpaces(
  { collections, options }: Reading,
  owner: string,
  narrow: Document,
): Promise<ReachedSpace[]> {
  const budgetsOfSpace = {
    from: collections.heads.collectionName,
    localField: '_id',
    foreignField: 'budget.spaceId',
    pipeline: [
      { $match: { ...narrow, deleted: false } },
      { $project: { sequence: 1, set: 1, 'held.since': 1, budget: 1 } },
    ],
    as: 'budgets',
  };
  const stages = [
    { $match: { 'space.members': owner, deleted: false } },
    { $project: { sequence: 1, 'space.name': 1 } },
    { $lookup: budgetsOfSpace },
  ];
  const found = await collections.heads.aggregate<FoundSpace>(stages, options).toArray();
  return found.map(space => ({
    id: space._id,
    sequence: space.sequence,
    name: space.space.name,
    budgets: space.budgets.flatMap(toReached),
  }));
}

function toReached({ _id: id, sequence, set, held, budget }: FoundBudget): ReachedBudget[] {
  return set === null || budget === null ? [] : [{ id, sequence, set, held: held ?? null, budget }];
}
