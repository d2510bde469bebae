// What a person's file holds, in the words of the catalogue: the importers make it, and events are made of it.
import type { Hundredths } from '../../projections/documents.ts';
import type {
  AccountOpened,
  CategoryGroupAdded,
  TransactionEntered,
} from '../../schemas/generated/events.ts';

/** Lines of a file or rows of a table that are read: all is held in memory. */
export const ROWS_MAX = 250_000;

/** Where a thing stands in the file, such as `Register.csv line 12`: complaints begin with it. */
interface Placed {
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
  /** What it is where it is no transfer. */
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

/** Accounts, groups and categories are in the order of their positions, rows in that of their entry. */
export interface BudgetPlan {
  /** What the file says of the budget itself; null where it says nothing. */
  readonly name: string | null;
  readonly currency: string | null;
  readonly accounts: readonly PlannedAccount[];
  readonly groups: readonly PlannedGroup[];
  readonly payees: readonly PlannedPayee[];
  readonly rows: readonly PlannedRow[];
  readonly assigned: readonly (InMonth & { categoryId: string; amount: Hundredths })[];
  readonly carryOvers: readonly (InMonth & { categoryId: string; carriesOver: boolean })[];
  readonly holds: readonly (InMonth & { amount: Hundredths })[];
  /** Sentences on what had to be decided, and on what has no counterpart here. */
  readonly notes: readonly string[];
}

/** `1 row`, `2 rows`, `1,200 rows`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}
