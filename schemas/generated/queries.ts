// Generated from schemas/ by npm run generate; do not edit.

/**
 * Parameters of GET /accounts.
 */
export interface AccountsQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /balances. start_date must not be after end_date.
 */
export interface BalancesQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * The first point is on this date or after it.
   */
  start_date: string;
  /**
   * The last point is on this date.
   */
  end_date: string;
  /**
   * day: a point for each day; week: for each Sunday; month: for the last day of each month. At most 1000 points in all.
   */
  interval: 'day' | 'week' | 'month';
  /**
   * Balances of this account instead of the sums of all accounts.
   */
  account_id?: string;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /budgets: none.
 */
export interface BudgetsQuery {}

/**
 * Parameters of GET /categories. limit counts groups; a group is never cut.
 */
export interface CategoriesQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * List hidden groups and hidden categories too.
   */
  include_hidden: boolean;
  /**
   * Most rows of the page, 1 to 500.
   */
  limit: number;
  /**
   * Rows to skip; past the end is an empty page.
   */
  offset: number;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /category-months. start_month must not be after end_month.
 */
export interface CategoryMonthsQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * First month, from 0001-01 to 9999-12, or current: the month of today in UTC.
   */
  start_month: string;
  /**
   * Last month, included; the same values. At most 60 months in all.
   */
  end_month: string;
  /**
   * Only this category, also a hidden one.
   */
  category_id?: string;
  /**
   * List hidden categories and those of hidden groups too.
   */
  include_hidden: boolean;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /changes.
 */
export interface ChangesQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * The cursor of the answer before; absent: everything from the start.
   */
  cursor?: string;
  /**
   * Most things of the page, of all kinds together, those that are gone too: 1 to 1000.
   */
  limit: number;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /labels.
 */
export interface LabelsQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * Most rows of the page, 1 to 500.
   */
  limit: number;
  /**
   * Rows to skip; past the end is an empty page.
   */
  offset: number;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /months. start_month must not be after end_month.
 */
export interface MonthListQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * First month, from 0001-01 to 9999-12, or current: the month of today in UTC.
   */
  start_month: string;
  /**
   * Last month, included; the same values. At most 120 months in all.
   */
  end_month: string;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /months/{month}.
 */
export interface MonthsQuery {
  /**
   * The month to read, from 0001-01 to 9999-12; outside the data too.
   */
  month: string;
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /payees.
 */
export interface PayeesQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * Most rows of the page, 1 to 500.
   */
  limit: number;
  /**
   * Rows to skip; past the end is an empty page.
   */
  offset: number;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/**
 * Parameters of GET /token: none.
 */
export interface TokenQuery {}

/**
 * Parameters of GET /transactions. Filters apply before paging; start_date must not be after end_date.
 */
export interface TransactionsQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * Only rows of this account.
   */
  account_id?: string;
  /**
   * Only rows of this category.
   */
  category_id?: string;
  /**
   * Only rows of this date and later.
   */
  start_date?: string;
  /**
   * Only rows of this date and earlier.
   */
  end_date?: string;
  /**
   * Only rows whose payee, memo or category contains this text, taken literally, in any case: 1 to 200 code points.
   */
  search?: string;
  /**
   * true: only rows of on-budget accounts that have no category and need one; false: only the others.
   */
  uncategorized?: boolean;
  /**
   * true: only rows that are not cleared; false: only the others.
   */
  uncleared?: boolean;
  /**
   * Most rows of the page, 1 to 1000.
   */
  limit: number;
  /**
   * Rows to skip; past the end is an empty page.
   */
  offset: number;
  /**
   * Waits until the budget has applied its event of this sequence, else answers 503.
   */
  'X-Projection-Wait-For'?: number;
  /**
   * How long X-Projection-Wait-For waits at most; 0 means not at all.
   */
  'X-Projection-Wait-Seconds': number;
}

/** The checked parameters of each endpoint, defaults filled in. */

export interface Queries {
  'budgets': BudgetsQuery;
  'accounts': AccountsQuery;
  'transactions': TransactionsQuery;
  'categories': CategoriesQuery;
  'payees': PayeesQuery;
  'labels': LabelsQuery;
  'months': MonthsQuery;
  'token': TokenQuery;
  'changes': ChangesQuery;
  'month-list': MonthListQuery;
  'category-months': CategoryMonthsQuery;
  'balances': BalancesQuery;
}
