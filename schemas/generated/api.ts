// Generated from schemas/ by npm run generate; do not edit.

/** The scopes of a token. */

export const SCOPES = [
  'budgets:read',
  'accounts:read',
  'transactions:read',
  'categories:read',
  'payees:read',
  'labels:read',
  'months:read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The endpoints by name: each has a schema for its query and one for its answer. */

export type RouteName = 'budgets' | 'accounts' | 'transactions' | 'categories' | 'payees' | 'labels' | 'months' | 'token' | 'changes' | 'month-list' | 'category-months' | 'balances' | 'transaction' | 'sums' | 'events';

/**
 * A budget that the token's owner may read.
 */
export interface Budget {
  id: string;
  /**
   * The space it belongs to.
   */
  spaceId: string;
  /**
   * Name of the space, null when it has none.
   */
  spaceName: string | null;
  name: string;
  /**
   * ISO 4217 code.
   */
  currency: string;
  /**
   * A moment in UTC, ISO 8601 with milliseconds.
   */
  createdAt: string | null;
  /**
   * Set when a clean slate left this budget behind as an archive; its balances also live in the successor budget. ISO 8601 UTC.
   */
  archivedAt: string | null;
}

/**
 * An account of a budget. Balances are as of today (UTC): later transactions are left out of them, but counted by transactionCount and lastTransactionDate.
 */
export interface Account {
  id: string;
  name: string;
  /**
   * Kind of account; new kinds may come.
   */
  type: string;
  /**
   * The account's own currency, ISO 4217; null means the budget's.
   */
  currency: string | null;
  /**
   * Its rows count in the budget's months.
   */
  onBudget: boolean;
  closed: boolean;
  /**
   * Cleared plus uncleared, in the budget's currency, as of today (UTC).
   */
  balance: string;
  /**
   * In the budget's currency, as of today (UTC).
   */
  clearedBalance: string;
  /**
   * In the budget's currency, as of today (UTC).
   */
  unclearedBalance: string;
  /**
   * In the account's own currency, as of today (UTC); the same as balance for an account without one.
   */
  nativeBalance: string;
  /**
   * All transactions, those after today too.
   */
  transactionCount: number;
  /**
   * Date of the newest transaction, also one after today; null when there is none.
   */
  lastTransactionDate: string | null;
  /**
   * A moment in UTC, ISO 8601 with milliseconds.
   */
  createdAt: string | null;
}

/**
 * One row. Each leg of a split is a row of its own; a transfer is two rows.
 */
export interface Transaction {
  id: string;
  /**
   * A calendar date without a timezone, YYYY-MM-DD.
   */
  date: string;
  accountId: string;
  accountName: string | null;
  payeeId: string | null;
  payeeName: string | null;
  categoryId: string | null;
  categoryName: string | null;
  /**
   * As entered; empty when there is none.
   */
  memo: string;
  /**
   * In the budget's currency; negative means outflow.
   */
  amount: string;
  /**
   * In the account's own currency; null for an account without one.
   */
  amountNative: string | null;
  /**
   * Units of the budget's currency for one unit of the account's own, above 0; null for an account without one.
   */
  exchangeRate: number | null;
  /**
   * The account's own currency, ISO 4217; null means the budget's.
   */
  currency: string | null;
  /**
   * Kind of transaction; transfer exactly when transferAccountId is not null. New kinds may come.
   */
  type: string;
  cleared: boolean;
  /**
   * Reconciled implies cleared.
   */
  reconciled: boolean;
  /**
   * The other account of a transfer.
   */
  transferAccountId: string | null;
  /**
   * Shared by every leg of a split.
   */
  splitGroupId: string | null;
  /**
   * By name, then id; empty when there are none.
   */
  labels: Label[];
  /**
   * A moment in UTC, ISO 8601 with milliseconds.
   */
  createdAt: string | null;
}

/**
 * A group of categories.
 */
export interface CategoryGroup {
  id: string;
  name: string;
  hidden: boolean;
  /**
   * Where the group is funded: envelope (from Ready to Assign), income (its rows feed Ready to Assign), unfunded (no envelope; its rows change Ready to Assign directly). New modes may come.
   */
  budgetMode: string;
  categories: Category[];
}

/**
 * A category.
 */
export interface Category {
  id: string;
  groupId: string;
  name: string;
  hidden: boolean;
  note: string | null;
}

/**
 * Who was paid, or who paid.
 */
export interface Payee {
  id: string;
  name: string;
}

/**
 * A label on transactions.
 */
export interface Label {
  id: string;
  name: string;
}

/**
 * One month of a budget. The figures cover the whole month, dates after today too.
 */
export interface Month {
  /**
   * A calendar month, YYYY-MM.
   */
  month: string;
  /**
   * What is left to assign; may be negative.
   */
  readyToAssign: string;
  /**
   * Assigned in this month.
   */
  assigned: string;
  /**
   * Sum of all transactions on on-budget accounts up to the end of the month.
   */
  cashBalance: string;
  /**
   * How far the overspent envelopes are short, not below 0.00.
   */
  overspentTotal: string;
  /**
   * Number of overspent envelopes.
   */
  overspentCount: number;
  /**
   * Number of transactions that uncategorized=true lists for this month.
   */
  uncategorizedCount: number;
  /**
   * Held in this month for the next one.
   */
  heldForNextMonth: string;
}

/**
 * The envelope of a category in one month. The figures cover the whole month, dates after today too.
 */
export interface CategoryMonth {
  categoryId: string;
  categoryName: string;
  groupId: string;
  groupName: string;
  /**
   * The category or its group is hidden.
   */
  hidden: boolean;
  /**
   * Assigned to the category in this month.
   */
  assigned: string;
  /**
   * Sum of its transactions of this month on on-budget accounts; negative means spent.
   */
  activity: string;
  /**
   * What is left at the end of the month: assigned and activity, and what came from the month before.
   */
  available: string;
  /**
   * Overspending stays in the category in the next month; otherwise it lowers readyToAssign there.
   */
  carriesOver: boolean;
}

/**
 * The envelopes of a budget in one month.
 */
export interface CategoryMonths {
  /**
   * A calendar month, YYYY-MM.
   */
  month: string;
  /**
   * In the order of /categories.
   */
  categories: CategoryMonth[];
}

/**
 * Balances on one date: of all transactions up to that date. Without account_id those of the budget, closed accounts too: total and onBudget. With it those of the account: balance and nativeBalance.
 */
export interface BalancePoint {
  /**
   * A calendar date without a timezone, YYYY-MM-DD.
   */
  date: string;
  /**
   * Of all accounts, in the budget's currency. Only without account_id.
   */
  total?: string;
  /**
   * Of the on-budget accounts, in the budget's currency. Only without account_id.
   */
  onBudget?: string;
  /**
   * Of the account, in the budget's currency. Only with account_id.
   */
  balance?: string;
  /**
   * Of the account, in its own currency; the same as balance for an account without one. Only with account_id.
   */
  nativeBalance?: string;
}

/**
 * The page that was answered.
 */
export interface Pagination {
  limit: number;
  offset: number;
  /**
   * True exactly when the page was full; the next one may be empty.
   */
  has_more: boolean;
}

/**
 * A personal access token, without its value.
 */
export interface Token {
  /**
   * The user on whose behalf it reads.
   */
  userId: string;
  /**
   * As its owner called it.
   */
  name: string;
  /**
   * The last four characters of its value.
   */
  lastFour: string;
  /**
   * What it may read; new scopes may come.
   */
  scopes: string[];
  /**
   * Ids of the budgets that it is narrowed to; null for every budget that its user reaches.
   */
  budgets: string[] | null;
  /**
   * A moment in UTC, ISO 8601 with milliseconds.
   */
  createdAt: string;
  /**
   * From then on it is refused. ISO 8601 UTC.
   */
  expiresAt: string;
}

/**
 * A group of categories, without them.
 */
export interface CategoryGroupSummary {
  id: string;
  name: string;
  hidden: boolean;
  /**
   * As in CategoryGroup. New modes may come.
   */
  budgetMode: string;
}

/**
 * Names something that was there and is gone.
 */
export interface Deletion {
  /**
   * What it was. New kinds may come.
   */
  kind: string;
  id: string;
}

/**
 * What was received and spent in some rows, in the budget's currency. Only what has rows has a sum.
 */
export interface Sum {
  /**
   * The month or the year; a range that begins or ends within it leaves its name as it is. null with interval=none.
   */
  period: string | null;
  /**
   * Of the account, category, group, payee or label; null for rows without one, and with group_by=none.
   */
  id: string | null;
  /**
   * Its name, as it is now; null where id is.
   */
  name: string | null;
  /**
   * Sum of the positive amounts.
   */
  inflow: string;
  /**
   * Sum of the negative amounts, so never above 0.00.
   */
  outflow: string;
  /**
   * inflow plus outflow.
   */
  net: string;
  /**
   * Number of rows, those of 0.00 too.
   */
  count: number;
}

/**
 * The body of every answer that is an error.
 */
export interface ErrorBody {
  error: {
    /**
     * What a program decides by; new codes may come.
     */
    code: string;
    /**
     * A sentence for people; its words may change.
     */
    message: string;
    /**
     * The parameter that is wrong, null where it is not about one.
     */
    param: string | null;
    /**
     * The same as the header X-Request-Id.
     */
    requestId: string;
    /**
     * The first 20 bad parameters; empty but on status 400.
     *
     * @maxItems 20
     */
    details: {
      /**
       * Name of the parameter or header.
       */
      param: string;
      code: string;
      /**
       * A sentence for people.
       */
      message: string;
    }[];
  };
}

/**
 * What is said about an endpoint that is to go: headers and OpenAPI follow from it.
 */
export interface Deprecation {
  /**
   * Since when it is deprecated, RFC 3339 UTC: the header Deprecation.
   */
  announced: string;
  /**
   * When it may go, at least six months after the announcement, RFC 3339 UTC: the header Sunset.
   */
  sunset: string;
  /**
   * Page that tells what to do: the header Link with rel=deprecation.
   */
  link: string;
}

/**
 * One endpoint of the API, as listed in routes.json.
 */
export interface Route {
  /**
   * Name of the endpoint.
   */
  name: RouteName;
  /**
   * Its name in OpenAPI.
   */
  operationId: string;
  /**
   * The group that it is listed in; openapi-base.json describes it.
   */
  tag: string;
  /**
   * Below the base address, with {parameters}.
   */
  path: string;
  /**
   * What the token must hold: all of them.
   */
  scopes: readonly Scope[];
  summary: string;
  description: string;
  /**
   * File in queries/ with its parameters.
   */
  query: RouteName;
  /**
   * File in answers/ with its body.
   */
  answer: RouteName;
  /**
   * True where clients may choose CSV by the header Accept.
   */
  csv?: boolean;
  /**
   * True where no cache may store the answer: it has no ETag, and 304 is never answered.
   */
  noStore?: boolean;
  /**
   * True where the answer is a stream of server-sent events.
   */
  stream?: boolean;
  /**
   * Null while the endpoint stays.
   */
  deprecation: Deprecation | null;
}

export const ROUTES: readonly Route[] = [
  {
    "name": "budgets",
    "operationId": "listBudgets",
    "tag": "Budgets",
    "path": "/budgets",
    "scopes": [
      "budgets:read"
    ],
    "summary": "List budgets",
    "description": "Every budget that this token may reach, archived ones too. A token narrowed to specific budgets sees only those. By name, then id.",
    "query": "budgets",
    "answer": "budgets",
    "deprecation": null
  },
  {
    "name": "accounts",
    "operationId": "listAccounts",
    "tag": "Accounts",
    "path": "/accounts",
    "scopes": [
      "accounts:read"
    ],
    "summary": "List accounts of a budget",
    "description": "All accounts, closed ones too: by position (those without one last), then name, then id.",
    "query": "accounts",
    "answer": "accounts",
    "deprecation": null
  },
  {
    "name": "transactions",
    "operationId": "listTransactions",
    "tag": "Transactions",
    "path": "/transactions",
    "scopes": [
      "transactions:read"
    ],
    "summary": "List transactions of a budget",
    "description": "Newest date first, within a date the one entered last first. Pages with the same X-Projection-Position are pages of one list; where it changes, start again. With `Accept: text/csv` the page comes as CSV (RFC 4180, UTF-8): a header line with the fields of Transaction in their order, labels as names joined by `; `, null as an empty cell. Cells are the data as it is: a spreadsheet may run those that begin with `=`, `+`, `-` or `@`.",
    "query": "transactions",
    "answer": "transactions",
    "csv": true,
    "deprecation": null
  },
  {
    "name": "categories",
    "operationId": "listCategories",
    "tag": "Categories",
    "path": "/categories",
    "scopes": [
      "categories:read"
    ],
    "summary": "List category groups with their categories",
    "description": "By position (those without one last), then name, then id. Without include_hidden, hidden groups are left out whole and visible groups list only visible categories.",
    "query": "categories",
    "answer": "categories",
    "deprecation": null
  },
  {
    "name": "payees",
    "operationId": "listPayees",
    "tag": "Payees and labels",
    "path": "/payees",
    "scopes": [
      "payees:read"
    ],
    "summary": "List payees of a budget",
    "description": "By name, then id.",
    "query": "payees",
    "answer": "payees",
    "deprecation": null
  },
  {
    "name": "labels",
    "operationId": "listLabels",
    "tag": "Payees and labels",
    "path": "/labels",
    "scopes": [
      "labels:read"
    ],
    "summary": "List labels of a budget",
    "description": "By name, then id.",
    "query": "labels",
    "answer": "labels",
    "deprecation": null
  },
  {
    "name": "months",
    "operationId": "getMonth",
    "tag": "Months",
    "path": "/months/{month}",
    "scopes": [
      "months:read"
    ],
    "summary": "Get one budget month",
    "description": "What was assigned, spent and held in a month, and what is left to assign. A month outside the data is answered too.",
    "query": "months",
    "answer": "months",
    "deprecation": null
  },
  {
    "name": "token",
    "operationId": "getToken",
    "tag": "Token",
    "path": "/token",
    "scopes": [],
    "summary": "Get the token of this request",
    "description": "Whose token this is, what it may read and until when. Works for every valid token, and tells nothing that its value does not give away.",
    "query": "token",
    "answer": "token",
    "noStore": true,
    "deprecation": null
  },
  {
    "name": "changes",
    "operationId": "listChanges",
    "tag": "Changes",
    "path": "/changes",
    "scopes": [
      "accounts:read",
      "transactions:read",
      "categories:read",
      "payees:read",
      "labels:read"
    ],
    "summary": "List what changed",
    "description": "What changed since the answer that gave the cursor, or everything from the start: each thing once, as it is now, in the order of its last change. First remove what deleted names, then add or replace the rest; when has_more is false, the copy equals the lists of this API. What changes between two pages comes on a later one. A page may hold fewer things than limit, even none, while has_more is true. A cursor stays valid as long as the budget's events; one that is malformed, of another budget, beyond the budget's position, or from a time when the service read the events up to it otherwise is refused with 400: start again without it.",
    "query": "changes",
    "answer": "changes",
    "deprecation": null
  },
  {
    "name": "month-list",
    "operationId": "listMonths",
    "tag": "Months",
    "path": "/months",
    "scopes": [
      "months:read"
    ],
    "summary": "List budget months",
    "description": "The months from start_month to end_month, oldest first, each as GET /months/{month} answers it; at most 120 months. Months outside the data are answered too.",
    "query": "month-list",
    "answer": "month-list",
    "deprecation": null
  },
  {
    "name": "category-months",
    "operationId": "listCategoryMonths",
    "tag": "Months",
    "path": "/category-months",
    "scopes": [
      "months:read"
    ],
    "summary": "List envelopes by month",
    "description": "What each category of the envelope groups was assigned, what was spent and what is left, for the months from start_month to end_month, oldest first; at most 60 months. Within a month in the order of /categories; without include_hidden, hidden categories and those of hidden groups are left out. The list is empty for a category_id of a group that is not an envelope group.",
    "query": "category-months",
    "answer": "category-months",
    "deprecation": null
  },
  {
    "name": "balances",
    "operationId": "listBalances",
    "tag": "Accounts",
    "path": "/balances",
    "scopes": [
      "accounts:read"
    ],
    "summary": "List balances over time",
    "description": "All accounts together, and those on budget, or one account with account_id: the balance by all transactions up to each date, those after today too. end_date is always the last point; at most 1000 points.",
    "query": "balances",
    "answer": "balances",
    "deprecation": null
  },
  {
    "name": "transaction",
    "operationId": "getTransaction",
    "tag": "Transactions",
    "path": "/transactions/{transaction_id}",
    "scopes": [
      "transactions:read"
    ],
    "summary": "Get one transaction",
    "description": "The transaction as it is now. An id that was used again after a deletion is the new one.",
    "query": "transaction",
    "answer": "transaction",
    "deprecation": null
  },
  {
    "name": "sums",
    "operationId": "listSums",
    "tag": "Transactions",
    "path": "/sums",
    "scopes": [
      "transactions:read"
    ],
    "summary": "List what was spent and received",
    "description": "The transactions of any time, added up by account, category, group of categories, payee or label, as a whole or by month or year. By period, oldest first; then net, smallest first, so that what costs most stands first; then name (rows without one last), then id. Only what has rows is listed. Without `transfers`, rows that move money between accounts are left out, payments to off-budget accounts (a mortgage, say) too: with `transfers=include&on_budget=true` the sums of envelope categories are their activity in /category-months. With `group_by=label` a row counts once under each of its labels, so these sums overlap. Pages with the same X-Projection-Position are pages of one list.",
    "query": "sums",
    "answer": "sums",
    "deprecation": null
  },
  {
    "name": "events",
    "operationId": "streamEvents",
    "tag": "Changes",
    "path": "/events",
    "scopes": [
      "budgets:read"
    ],
    "summary": "Be told when budgets change",
    "description": "A stream of server-sent events, for as long as the client listens. First, and after each change, `event: position` tells the position of a budget that the token reaches; `event: gone` tells that it is no longer reached. Every answer from then on contains that position: ask /changes what it was. A client that reads slowly gets only the newest position of each budget. A comment comes every 15 seconds. The stream ends when its token does, and when the service restarts: connect again after 5 seconds. Connecting is one read; at most 5 streams of a token are open on one server.",
    "query": "events",
    "answer": "events",
    "noStore": true,
    "stream": true,
    "deprecation": null
  }
];
