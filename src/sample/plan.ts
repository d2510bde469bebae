// How the people of the sample live, as data: the types of household.ts and personal.ts.
import type { AccountOpened, CategoryGroupAdded } from '../../schemas/generated/events.ts';

/** Amounts are in hundredths of the account's currency. */
export interface Plan {
  readonly accounts: readonly AccountPlan[];
  readonly groups: readonly GroupPlan[];
  /** Category that takes what is left at the start of a month. */
  readonly restCategory: string;
  /** Account of incomes and bills that name none, and of the cash for the wallet. */
  readonly mainAccount: string;
  /** The account for cash payments. */
  readonly wallet: string;
  /** Accounts of other purchases; an account that is named twice is used twice as often. */
  readonly cards: readonly string[];
  readonly regulars: readonly Regular[];
  readonly transfers: readonly RegularTransfer[];
  readonly purchases: readonly Purchase[];
}

export interface AccountPlan {
  readonly key: string;
  readonly name: string;
  readonly type: AccountOpened['type'];
  /** Default true. */
  readonly onBudget?: boolean;
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
  /** Added some months after the start (happenings.ts). */
  readonly isLater?: boolean;
}

/** An income, or a bill with a negative amount, once a month or every few months. */
export interface Regular {
  readonly day: number;
  readonly everyMonths?: number;
  readonly payee: string;
  readonly category: string;
  /** Default: the main account. */
  readonly account?: string;
  readonly amount: number;
  /** The amount differs by up to so many percent each time. */
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
  readonly payees: readonly string[];
  readonly category: string;
  /** Two of three times. */
  readonly inCash?: boolean;
  readonly timesPerMonth: number;
  /** Least and most. */
  readonly cost: readonly [number, number];
  readonly memos?: readonly string[];
  readonly label?: string;
  /** Some receipts are split with one of these categories. */
  readonly splitWith?: readonly string[];
}
