// Reads the names of a user's budgets, for forms and lists.
import { withDeadline } from '../../../store/database-errors.ts';
import { serveBudgets, visibleBudgets } from '../../../store/reading/queries/budgets.ts';
import { findSpacesOf } from '../../../store/reading/queries/reach.ts';
import { inActive, type ReadDatabase } from '../../../store/snapshot.ts';

export interface NamedBudget {
  readonly id: string;
  readonly name: string;
  /** Its space, and whether it is archived. */
  readonly details: readonly string[];
}

const READING_MS_MAX = 8000;

/** Returns the budgets in the order of the API; none before a generation is active. */
export async function readBudgets(database: ReadDatabase, user: string): Promise<NamedBudget[]> {
  return await withDeadline(READING_MS_MAX, read(database, user));
}

async function read(db: ReadDatabase, user: string): Promise<NamedBudget[]> {
  const options = { db, queryMsMax: READING_MS_MAX };
  const spaces = await inActive(options, reading => findSpacesOf(reading, user));
  return serveBudgets(visibleBudgets(spaces ?? [], null)).map(
    ({ id, name, spaceName, archivedAt }) => {
      const space = spaceName === null ? [] : [`in ${spaceName}`];
      return { id, name, details: [...space, ...(archivedAt === null ? [] : ['archived'])] };
    },
  );
}
