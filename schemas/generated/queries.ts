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
   * Only accounts of this name, in any case and any normal form; the whole name, 1 to 200 code points. Several may have it.
   */
  name?: string;
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
   * Only categories of this name, in any case and any normal form; the whole name, 1 to 200 code points. A group comes with its matching categories; one without any is left out.
   */
  name?: string;
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
   * Seconds to wait, 0 to 60, while the cursor's answer has nothing new: it comes with the next change of the budget, or empty when the time is over. Only with cursor.
   */
  wait: number;
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
 * Parameters of GET /events: none.
 */
export interface EventsQuery {}

/**
 * Parameters of GET /labels.
 */
export interface LabelsQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * Only labels of this name, in any case and any normal form; the whole name, 1 to 200 code points. Several may have it.
   */
  name?: string;
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
   * Only payees of this name, in any case and any normal form; the whole name, 1 to 200 code points. Several may have it.
   */
  name?: string;
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
 * Parameters of GET /sums. Filters apply before rows are added up; start_date must not be after end_date.
 */
export interface SumsQuery {
  /**
   * The budget to read.
   */
  budget_id: string;
  /**
   * What to add up by: everything that was spent and received at one payee, say. With label, a row counts once under each of its labels. none: all rows together.
   */
  group_by: 'account' | 'category' | 'categoryGroup' | 'payee' | 'label' | 'none';
  /**
   * month, year: sums of each month or year that has rows; none: of the whole time.
   */
  interval: 'none' | 'month' | 'year';
  /**
   * Only rows of this date and later.
   */
  start_date?: string;
  /**
   * Only rows of this date and earlier.
   */
  end_date?: string;
  /**
   * Only rows of this account.
   */
  account_id?: string;
  /**
   * Only rows of this category.
   */
  category_id?: string;
  /**
   * Only rows of this payee.
   */
  payee_id?: string;
  /**
   * Only rows with this label.
   */
  label_id?: string;
  /**
   * true: only rows of on-budget accounts; false: only the others.
   */
  on_budget?: boolean;
  /**
   * exclude: no rows that name the account on the other side of a transfer; include: those too; only: nothing else.
   */
  transfers: 'exclude' | 'include' | 'only';
  /**
   * Most sums of the page, 1 to 1000, over all periods together.
   */
  limit: number;
  /**
   * Sums to skip; past the end is an empty page.
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
 * Parameters of GET /transactions/{transaction_id}.
 */
export interface TransactionQuery {
  /**
   * The transaction to read. The ids . and .. cannot be asked for by most clients, which take them for a folder and its parent.
   */
  transaction_id: string;
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
 * Parameters of GET /transactions. Filters apply before paging; start_date must not be after end_date, nor min_amount above max_amount.
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
   * Only rows of this payee.
   */
  payee_id?: string;
  /**
   * Only rows that carry this label; their labels come whole.
   */
  label_id?: string;
  /**
   * Only rows of this type.
   */
  type?: 'standard' | 'transfer' | 'startingBalance' | 'reconciliation';
  /**
   * Only rows of this amount and higher; amounts have a sign, so -100.00 is below -12.30.
   */
  min_amount?: string;
  /**
   * Only rows of this amount and lower: -50.00 keeps what cost 50.00 and more.
   */
  max_amount?: string;
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
  'transaction': TransactionQuery;
  'sums': SumsQuery;
  'events': EventsQuery;
}
