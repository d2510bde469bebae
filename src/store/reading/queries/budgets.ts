// Lists budgets: those of a user, as they are served (rules/api.md#budget), and for operators what each is called, whose it
// is, how large it is and how far.
import type { Held } from '../../../../projections/documents.ts';
import type { Budget } from '../../../../schemas/generated/api.ts';
import type { GenerationCollections } from '../../collections.ts';
import { headOf } from '../../heads.ts';
import { byName } from './by-position.ts';
import type { ReachedSpace } from './reach.ts';

/** A budget that a token reaches, with its space. */
type Visible = ReachedSpace['budgets'][number] & { readonly space: ReachedSpace };

/** Returns visible budgets as they are served. */
export function serveBudgets(visible: readonly Visible[]): Budget[] {
  return visible.map(({ space, id, budget }) => ({
    id,
    spaceId: space.id,
    spaceName: space.name,
    name: budget.name,
    currency: budget.currency,
    createdAt: budget.createdAt,
    archivedAt: budget.archivedAt,
  }));
}

/** Returns everything that the list depends on, in an order that does not depend on that of the spaces. */
export function budgetsVersion(
  spaces: readonly ReachedSpace[],
  visible: readonly Visible[],
): string[] {
  const positions = spaces.map(space => `${space.id} ${space.sequence}`);
  const budgets = visible.map(
    ({ id, sequence, set, held }) => `${id} ${sequence} ${set} ${held?.since ?? ''}`,
  );
  return [...positions.sort(), '', ...budgets];
}

/** Returns budgets by name key, then id. `allowed` are the ids that a token is limited to, null for all. */
export function visibleBudgets(
  spaces: readonly ReachedSpace[],
  allowed: readonly string[] | null,
): Visible[] {
  const only = allowed && new Set(allowed);
  const visible = spaces.flatMap(space =>
    space.budgets
      .filter(({ id }) => only === null || only.has(id))
      .map(reached => ({ ...reached, space, nameKey: reached.budget.nameKey })),
  );
  return visible.sort(byName);
}

export interface ListedBudget {
  readonly id: string;
  readonly name: string;
  readonly spaceId: string;
  /** Null for a space without a name, and for one that is not known yet. */
  readonly spaceName: string | null;
  /** The users who reach it. */
  readonly members: readonly string[];
  readonly rows: number;
  /** Sequence of the last applied event. */
  readonly position: number;
  readonly held: Held['why'] | null;
}

export interface BudgetList {
  /** By id. */
  readonly budgets: readonly ListedBudget[];
  /** There are further ones. */
  readonly isCut: boolean;
}

/** @param user lists only the budgets that this user reaches; null lists all, up to `budgetsMax` */
export async function listBudgets(
  { heads, accounts }: GenerationCollections,
  user: string | null,
  budgetsMax: number,
): Promise<BudgetList> {
  const spacesOf = { 'space.members': user };
  const reached = user === null ? null : await heads.find(spacesOf).map(headOf).toArray();
  const inSpaces = reached && { 'budget.spaceId': { $in: reached.map(({ id }) => id) } };
  const found = await heads
    .find(inSpaces ?? { 'budget.spaceId': { $exists: true } })
    .sort({ _id: 1 })
    .limit(budgetsMax + 1)
    .map(headOf)
    .toArray();
  const shown = found.slice(0, budgetsMax);
  const ids = [...new Set(shown.flatMap(({ budget }) => (budget ? [budget.spaceId] : [])))];
  const spaces = await heads
    .find({ _id: { $in: ids } })
    .map(headOf)
    .toArray();
  const spaceOf = new Map(spaces.map(head => [head.id, head.space]));
  const sets = shown.flatMap(({ set }) => (set === null ? [] : [set]));
  const counts = new Map<string, number>();
  const counting = accounts.find({ set: { $in: sets } }).project<{ set: string; count: number }>({
    set: 1,
    count: 1,
  });
  for await (const { set, count } of counting) counts.set(set, (counts.get(set) ?? 0) + count);
  const budgets = shown.flatMap(({ id, budget, set, sequence, held }) => {
    if (!budget) return [];
    const space = spaceOf.get(budget.spaceId);
    return {
      id,
      name: budget.name,
      spaceId: budget.spaceId,
      spaceName: space?.name ?? null,
      members: space?.members ?? [],
      rows: counts.get(set ?? '') ?? 0,
      position: sequence,
      held: held?.why ?? null,
    };
  });
  return { budgets, isCut: found.length > budgetsMax };
}
