// How the people of the sample live, as tables: the types of the rows in household.ts and personal.ts.
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
  /** Some purchases of a category have one of its memos. */
  readonly memos: Texts;
  /** Some receipts of a category are split with one of the others. */
  readonly splits: Texts;
}

type Texts = Readonly<Record<string, readonly string[]>>;

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
export type Regular = readonly [
  day: number,
  everyMonths: number,
  payee: string,
  category: string,
  amount: number,
  more?: {
    /** Default: the main account. */
    readonly account?: string;
    /** The amount differs by up to so many percent each time. */
    readonly spreadPercent?: number;
    readonly memo?: string;
  },
];

/** An amount of null is the debt of the account that is paid off; a category is given where one account is off budget. */
export type RegularTransfer = readonly [
  day: number,
  everyMonths: number,
  from: string,
  to: string,
  amount: number | null,
  category?: string,
];

/** A category is bought so often a month, for the least to the most cost, from one of the payees. */
export type Purchase = readonly [
  category: string,
  timesPerMonth: number,
  least: number,
  most: number,
  /** Separated by a comma and a space. */
  payees: string,
  more?: {
    /** Two of three times. */
    readonly inCash?: true;
    readonly label?: string;
  },
];
