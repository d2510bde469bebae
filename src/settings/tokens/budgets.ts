// The budgets of a user by name, for forms and lists.
import { within } from '../../access/within.ts';
import { budgetsOf } from '../../read-store/queries/budgets.ts';
import { findSpacesOf } from '../../read-store/queries/reach.ts';
import { activeGeneration } from '../../read-store/registry.ts';
import { inSnapshot, type ReadDatabase } from '../../read-store/snapshot.ts';

export interface NamedBudget {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the same name: its space, that it is archived, and where that is not enough its id. */
  readonly details: readonly string[];
}

const READING_MS_MAX = 8000;

/** In the order of the API; none where no read model is built yet. */
export async function readBudgets(database: ReadDatabase, user: string): Promise<NamedBudget[]> {
  return await within(READING_MS_MAX, read(database, user));
}

async function read(database: ReadDatabase, user: string): Promise<NamedBudget[]> {
  const generation = await activeGeneration(database);
  if (generation === null) return [];
  const spaces = await inSnapshot(database, generation, READING_MS_MAX, reading =>
    findSpacesOf(reading, user),
  );
  const plain = budgetsOf(spaces, null).map(({ id, name, spaceName, archivedAt }) => {
    const space = spaceName === null ? [] : [`in ${spaceName}`];
    return { id, name, details: [...space, ...(archivedAt === null ? [] : ['archived'])] };
  });
  return tellApart(plain);
}

function tellApart(budgets: readonly NamedBudget[]): NamedBudget[] {
  const shownAs = ({ name, details }: NamedBudget) => JSON.stringify([name, details]);
  const counts = new Map<string, number>();
  for (const budget of budgets) {
    counts.set(shownAs(budget), (counts.get(shownAs(budget)) ?? 0) + 1);
  }
  return budgets.map(budget => {
    if (counts.get(shownAs(budget)) === 1) return budget;
    return { ...budget, details: [...budget.details, `id ${budget.id}`] };
  });
}
