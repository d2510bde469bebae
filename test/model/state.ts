// The state of the reference model: only live things, in the terms of the specification.

/** A live transaction. Amounts are hundredths. `entered` is the sequence of its transaction.entered. */
export interface Row {
  id: string;
  date: string;
  accountId: string;
  payeeId: string | null;
  categoryId: string | null;
  memo: string;
  amount: bigint;
  amountNative: bigint | null;
  exchangeRate: number | null;
  type: string;
  cleared: boolean;
  reconciled: boolean;
  transferAccountId: string | null;
  splitGroupId: string | null;
  labelIds: readonly string[];
  entered: number;
  createdAt: string;
}

export interface Account {
  id: string;
  name: string;
  type: string;
  onBudget: boolean;
  currency: string | null;
  position: number | null;
  closed: boolean;
  createdAt: string;
}

export interface Group {
  id: string;
  name: string;
  budgetMode: string;
  position: number | null;
  hidden: boolean;
}

export interface Category {
  id: string;
  groupId: string;
  name: string;
  note: string | null;
  position: number | null;
  hidden: boolean;
}

export interface IdAndName {
  id: string;
  name: string;
}

/** By category, then by month (`YYYY-MM`). */
export type ByCategoryAndMonth<T> = Map<string, Map<string, T>>;

export interface Budget {
  id: string;
  spaceId: string;
  name: string;
  currency: string;
  createdAt: string;
  archivedAt: string | null;
  accounts: Map<string, Account>;
  groups: Map<string, Group>;
  categories: Map<string, Category>;
  payees: Map<string, IdAndName>;
  labels: Map<string, IdAndName>;
  rows: Map<string, Row>;
  assigned: ByCategoryAndMonth<bigint>;
  carriesOver: ByCategoryAndMonth<boolean>;
  heldForNextMonth: Map<string, bigint>;
}

export interface Space {
  id: string;
  name: string | null;
  members: Set<string>;
}

export interface World {
  spaces: Map<string, Space>;
  budgets: Map<string, Budget>;
}

export function isOnBudget(budget: Budget, accountId: string | null): boolean {
  return accountId !== null && budget.accounts.get(accountId)?.onBudget === true;
}

/** A transfer between two on-budget accounts: no category, no effect on R or V (rules/months.md#on-budget-and-off-budget). */
export function isInnerTransfer(budget: Budget, row: Row): boolean {
  return isOnBudget(budget, row.accountId) && isOnBudget(budget, row.transferAccountId);
}

/** rules/months.md#uncategorized-rows. */
export function isUncategorized(budget: Budget, row: Row): boolean {
  return (
    row.categoryId === null &&
    isOnBudget(budget, row.accountId) &&
    !isOnBudget(budget, row.transferAccountId)
  );
}

export function modeOf(budget: Budget, categoryId: string): string | undefined {
  const category = budget.categories.get(categoryId);
  return category && budget.groups.get(category.groupId)?.budgetMode;
}
