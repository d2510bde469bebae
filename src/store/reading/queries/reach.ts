// Finds the budgets that a user reaches: those of every space that the user is a member of.
import type { Document } from 'mongodb';
import type { BudgetFields, Held, SpaceFields } from '../../../../projections/documents.ts';
import type { SequenceRange } from '../../../../projections/skipped.ts';
import type { StoredHead } from '../../heads.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { GenerationRecord, Registry } from '../../registry.ts';
import type { Reading } from '../../snapshot.ts';

export interface ReachedBudget {
  readonly id: string;
  /** Last applied sequence: the budget's position. */
  readonly sequence: number;
  readonly set: string;
  /** Set while the budget's events wait. */
  readonly held: Pick<Held, 'since'> | null;
  readonly budget: BudgetFields;
  /** The sequences that count without effect, by operators' decisions. */
  readonly skipped: readonly SequenceRange[];
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
  members: string[];
  budgets: FoundBudget[];
}

type FoundBudget = Pick<StoredHead, '_id' | 'sequence' | 'set' | 'budget' | 'skipped'> & {
  /** Missing where it is null: the query reads only a field of it. */
  held?: Pick<Held, 'since'>;
};

export interface BudgetQuestion {
  readonly owner: string;
  readonly budgetId: string;
}

/** The generation that is active at the instant of a query. */
export interface ActiveGeneration {
  readonly id: string;
  /** Version of the projections; null if the registry does not tell it. */
  readonly version: number | null;
}

/**
 * Returns the budget of each question, or null, and the generation that is active at that instant. The look-up begins
 * at the users' own spaces and filters their budgets by id, so another user's budget costs the same as a missing one.
 */
export async function findBudgets(
  reading: Reading,
  questions: readonly BudgetQuestion[],
): Promise<{ active: ActiveGeneration | null; found: (ReachedBudget | null)[] }> {
  const owners = [...new Set(questions.map(({ owner }) => owner))];
  const ids = [...new Set(questions.map(({ budgetId }) => budgetId))];
  const { collections, options } = reading;
  const stages = [
    ...spacesOf(owners, { _id: 1 }),
    // One look-up for all spaces: one for each would cost a fifth of a millisecond each.
    { $group: { _id: null, spaces: ALL_ROOTS } },
    budgetsOf(reading, 'spaces._id', only(ids)),
    THE_REGISTRY,
  ];
  const found = await collections.heads
    .aggregate<FoundTogether | FoundRegistry>(stages, options)
    .toArray();
  const registry = found.find(one => 'active' in one);
  const { spaces, budgets } = found.find(one => 'spaces' in one) ?? { spaces: [], budgets: [] };
  // Maps, since a batch may ask for thousands of users.
  const membersOf = new Map(spaces.map(({ _id, members }) => [_id, new Set(members)]));
  const byId = new Map(budgets.flatMap(toReached).map(budget => [budget.id, budget]));
  const budgetOf = ({ owner, budgetId }: BudgetQuestion) => {
    const found = byId.get(budgetId);
    return found && membersOf.get(found.budget.spaceId)?.has(owner) ? found : null;
  };
  return { active: registry ? activeIn(registry) : null, found: questions.map(budgetOf) };
}

/**
 * More than one document can hold. `$push` would do the same, but MongoDB 6 compiles a group with it for each question,
 * which takes a fifth of the look-up's time.
 */
const ALL_ROOTS = { $firstN: { input: '$$ROOT', n: 1_000_000 } };

interface FoundTogether {
  spaces: Pick<FoundSpace, '_id' | 'members'>[];
  /** Of all these spaces. */
  budgets: FoundBudget[];
}

type FoundRegistry = Pick<Registry, 'active'> & {
  generations: Pick<GenerationRecord, 'id' | 'version'>[];
};

const THE_REGISTRY = {
  $unionWith: {
    coll: 'registry',
    pipeline: [
      { $match: { _id: 'registry' } },
      { $project: { _id: 0, active: 1, 'generations.id': 1, 'generations.version': 1 } },
    ],
  },
};

function activeIn({ active, generations }: FoundRegistry): ActiveGeneration | null {
  if (active === null) return null;
  return { id: active, version: generations.find(({ id }) => id === active)?.version ?? null };
}

/** Deliberately not indexable: an index hit would make existing ids measurably slower or faster than missing ones. */
function only(ids: readonly string[]): Document {
  return { $expr: { $in: ['$_id', { $literal: ids }] } };
}

/** Returns the user's spaces with all their budgets, in no particular order. */
export async function findSpacesOf(reading: Reading, owner: string): Promise<ReachedSpace[]> {
  const { collections, options } = reading;
  const stages = [
    ...spacesOf([owner], { sequence: 1, 'space.name': 1 }),
    budgetsOf(reading, '_id', {}),
  ];
  const found = await collections.heads
    .aggregate<FoundSpace>(stages, { ...options, ...ONE_REPLY })
    .toArray();
  return found.map(({ _id: id, sequence, space, budgets }) => ({
    id,
    sequence,
    name: space.name,
    budgets: budgets.flatMap(toReached),
  }));
}

/** Returns stages that find the spaces of users, with these fields and the members among those users. */
export function spacesOf(owners: readonly string[], fields: Document): Document[] {
  return [
    { $match: { 'space.members': { $in: owners }, deleted: false } },
    {
      $project: {
        ...fields,
        // Only the users of the questions: a space may have many members.
        members: { $setIntersection: ['$space.members', { $literal: owners }] },
      },
    },
  ];
}

/** Returns the stage that adds the budgets of the spaces whose ids are at `spaceIds`. */
function budgetsOf({ collections }: Reading, spaceIds: string, narrow: Document): Document {
  return {
    $lookup: {
      from: collections.heads.collectionName,
      localField: spaceIds,
      foreignField: 'budget.spaceId',
      pipeline: [
        { $match: { ...narrow, deleted: false } },
        { $project: { sequence: 1, set: 1, 'held.since': 1, budget: 1, skipped: 1 } },
      ],
      as: 'budgets',
    },
  };
}

function toReached({ _id: id, sequence, set, budget, ...found }: FoundBudget): ReachedBudget[] {
  if (set === null || budget === null) return [];
  return [{ id, sequence, set, held: found.held ?? null, budget, skipped: found.skipped ?? [] }];
}
