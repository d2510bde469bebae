// What an endpoint is: the reading of one resource. Everything around it is the same for all of them.
import type { ReachedBudget } from '../../read-store/queries/reach.ts';
import type { Reading } from '../../read-store/snapshot.ts';
import type { Rule, Values } from '../parameters.ts';

/** A resource that belongs to a budget. */
export interface BudgetRoute {
  readonly rules?: readonly Rule[];
  /** Whether the ids that the values filter by are there; absent where no id filters. */
  readonly idsExist?: (
    reading: Reading,
    reached: ReachedBudget,
    values: Values,
  ) => Promise<boolean>;
  /** What the answer depends on besides the budget's state. */
  readonly dependsOn?: (reached: ReachedBudget, today: string) => readonly string[];
  /** The body. `today` is the date in UTC. */
  readonly read: (
    reading: Reading,
    reached: ReachedBudget,
    values: Values,
    today: string,
  ) => Promise<string | Buffer>;
}

/** The values that the schema of a list has always filled in. */
export function pageOf(values: Values): { limit: number; offset: number } {
  return { limit: values.limit as number, offset: values.offset as number };
}

/** The Pagination shape: `has_more` exactly when the page was full. */
export function pagination({ limit, offset }: { limit: number; offset: number }, rows: number) {
  return { limit, offset, has_more: rows === limit };
}
