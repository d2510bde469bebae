// How the people of the sample live, as data: the words in which household.ts and personal.ts are written.
import type { AccountOpened, CategoryGroupAdded } from '../../../schemas/generated/events.ts';

/** Amounts are in hundredths of the account's currency, and positive; a bill or purchase is an outflow. */
export interface Plan {
  readonly currency: string;
  readonly accounts: readonly AccountPlan[];
  readonly groups: readonly GroupPlan[];
  /** Category that takes starting balances. */
  readonly startingCategory: string;
  /** Category that takes the differences found when a statement is reconciled. */
  readonly differencesCategory: string;
  /** Category that takes what is left at the start of a month. */
  readonly restCategory: string;
  readonly incomes: readonly Regular[];
  readonly bills: readonly Regular[];
  readonly transfers: readonly RegularTransfer[];
  readonly purchases: readonly [Purchase, ...Purchase[]];
  /** Account that is paid by cash, and filled up from another one. */
  readonly wallet: { readonly account: string; readonly from: string };
}

export interface AccountPlan {
  readonly key: string;
  readonly name: string;
  readonly type: AccountOpened['type'];
  readonly onBudget: boolean;
  readonly currency?: string;
  /** May be negative: a debt. */
  readonly opening: number;
}

export interface GroupPlan {
  readonly name: string;
  readonly mode: CategoryGroupAdded['budgetMode'];
  readonly categories: readonly CategoryPlan[];
}

export interface CategoryPlan {
  readonly name: string;
  /** Assigned at the start of each month. */
  readonly monthly?: number;
  readonly note?: string | null;
  readonly carriesOver?: boolean;
}

/** Comes once a month, or every few months. */
export interface Regular {
  readonly day: number;
  readonly everyMonths?: number;
  readonly payee: string;
  readonly category: string;
  readonly account: string;
  readonly amount: number;
  /** Differs by up to so many percent each time. */
  readonly spreadPercent?: number;
  readonly memo?: string;
}

export interface RegularTransfer {
  readonly day: number;
  readonly everyMonths?: number;
  readonly from: string;
  readonly to: string;
  /** Null: the debt of the account that is paid off. */
  readonly amount: number | null;
  /** Given exactly where one of the two accounts is off budget. */
  readonly category?: string;
}

export interface Purchase {
  readonly payees: readonly [string, ...string[]];
  readonly category: string;
  readonly accounts: readonly [string, ...string[]];
  readonly timesPerMonth: number;
  readonly from: number;
  readonly to: number;
  readonly memos?: readonly [string, ...string[]];
  readonly label?: string;
  /** Now and then the receipt is split with these categories. */
  readonly splitWith?: readonly [string, ...string[]];
}
