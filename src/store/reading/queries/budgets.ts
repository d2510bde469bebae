// Lists the budgets of a user, as they are served (rules/api.md#budget).
import type { Budget } from '../../../../schemas/generated/api.ts';
import { byName } from './by-position.ts';
import type { ReachedSpace } from './reach.ts';

/** Returns budgets by name key, then id. `allowed` are the ids that a token is limited to, null for all. */
export function budgetsOf(
  spaces: readonly ReachedSpace[],
  allowed: readonly string[] | null,
): Budget[] {
  return visibleBudgets(spaces, allowed).map(({ space, id, budget }) => ({
    id,
    spaceId: space.id,
    spaceName: space.name,
    name: budget.name,
    currency: budget.currency,
    createdAt: budget.createdAt,
    archivedAt: budget.archivedAt,
  }));
}

/** Returns everything that the list depends on, independent of the order of the spaces. */
export function budgetsVersion(
  spaces: readonly ReachedSpace[],
  allowed: readonly string[] | null,
): string[] {
  const positions = spaces.map(space => `${space.id} ${space.sequence}`);
  const budgets = visibleBudgets(spaces, allowed).map(
    ({ id, sequence, set, held }) => `${id} ${sequence} ${set} ${held?.since ?? ''}`,
  );
  return [...positions.sort(), '', ...budgets.sort()];
}

function visibleBudgets(spaces: readonly ReachedSpace[], allowed: readonly string[] | null) {
  return spaces
    .flatMap(space => space.budgets.map(reached => ({ ...reached, space })))
    .filter(({ id }) => allowed === null || allowed.includes(id))
    .sort((a, b) =>
      byName({ nameKey: a.budget.nameKey, id: a.id }, { nameKey: b.budget.nameKey, id: b.id }),
    );
}
