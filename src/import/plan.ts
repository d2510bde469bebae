// The contents of an imported file in the terms of the event catalogue: importers create a plan, events are made of it.
import type { Hundredths } from '../../projections/documents.ts';
import type {
  AccountOpened,
  CategoryGroupAdded,
  TransactionEntered,
} from '../../schemas/generated/events.ts';

/** Most lines of a file or rows of a table, as all are held in memory; a larger file is refused. */
export const ROWS_MAX = 250_000;

interface Placed {
  /** Its place in the file, such as `Register.csv line 12`, for error messages. */
  readonly origin: string;
}

export interface PlannedAccount extends Placed {
  readonly id: string;
  readonly name: string;
  readonly type: AccountOpened['type'];
  readonly onBudget: boolean;
  readonly closed: boolean;
}

export interface PlannedGroup extends Placed {
  readonly id: string;
  readonly name: string;
  readonly mode: CategoryGroupAdded['budgetMode'];
  readonly hidden: boolean;
  readonly categories: readonly PlannedCategory[];
}

export interface PlannedCategory extends Placed {
  readonly id: string;
  readonly name: string;
  readonly note: string | null;
  readonly hidden: boolean;
}

export interface PlannedPayee extends Placed {
  readonly id: string;
  readonly name: string;
}

export interface PlannedRow extends Placed {
  readonly id: string;
  readonly date: string;
  readonly accountId: string;
  readonly payeeId: string | null;
  readonly categoryId: string | null;
  readonly memo: string | null;
  readonly amount: Hundredths;
  /** The type of a row that is no transfer; ignored for transfers. */
  readonly type: Exclude<TransactionEntered['type'], 'transfer'>;
  readonly transferAccountId: string | null;
  readonly cleared: boolean;
  readonly reconciled: boolean;
  readonly splitGroupId: string | null;
  readonly labels: readonly string[];
}

interface InMonth extends Placed {
  readonly month: string;
}

/** Accounts, groups and categories are in order of position, rows in order of entry. */
export interface BudgetPlan {
  /** Name of the budget in the file; null if it has none. */
  readonly name: string | null;
  /** Currency of the budget in the file; null if it has none. */
  readonly currency: string | null;
  readonly accounts: readonly PlannedAccount[];
  readonly groups: readonly PlannedGroup[];
  readonly payees: readonly PlannedPayee[];
  /** What the file merged or replaced: by the id of a payee or category, that of the one in its place. */
  readonly successors: {
    readonly payees: ReadonlyMap<string, string>;
    readonly categories: ReadonlyMap<string, string>;
  };
  readonly rows: readonly PlannedRow[];
  readonly assigned: readonly (InMonth & { categoryId: string; amount: Hundredths })[];
  readonly carryOvers: readonly (InMonth & { categoryId: string; carriesOver: boolean })[];
  readonly holds: readonly (InMonth & { amount: Hundredths })[];
  /** Sentences on the file's own sums that its contents do not add up to. */
  readonly differences: readonly string[];
  /** Sentences for people on assumptions that were made, and on contents without a counterpart here. */
  readonly notes: readonly string[];
}

/** `1 row`, `2 rows`, `1,200 rows`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}
