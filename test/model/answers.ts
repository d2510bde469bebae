// The exact JSON bodies of the API, from the live state alone. Null instead of a body means 404.
import { shownTime } from './calendar.ts';
import { type Changes, changesBody, noChanges } from './changes.ts';
import { hundredthsOf, moneyText } from './money-text.ts';
import { type MonthFigures, monthsOf } from './months.ts';
import { byNameThenId, byPosition, normalizeText } from './normalize-text.ts';
import {
  type BalancesQuery,
  balancesBody,
  type CategoryMonthsQuery,
  categoryMonthsBody,
  type MonthsQuery,
  monthsIn,
} from './over-time.ts';
import { type Budget, type IdAndName, isUncategorized, type Row, type World } from './state.ts';
import { type SumsQuery, sumsBody } from './sums.ts';
import { accountJson, transactionJson } from './things.ts';

/** The parameters of the query string, validated and typed. */
export interface TransactionFilters {
  account_id?: string;
  category_id?: string;
  payee_id?: string;
  label_id?: string;
  type?: string;
  min_amount?: string;
  max_amount?: string;
  start_date?: string;
  end_date?: string;
  search?: string;
  uncategorized?: boolean;
  uncleared?: boolean;
  limit?: number;
  offset?: number;
}

export interface Page {
  limit?: number;
  offset?: number;
}

/** Of accounts, payees and labels. */
export interface NamedQuery extends Page {
  name?: string;
}

export interface CategoriesQuery extends NamedQuery {
  include_hidden?: boolean;
}

/** The budgets that a token may read; null for all of its owner's. */
export interface TokenReach {
  budgets: readonly string[] | null;
}

/** The facts about a stream that the answers need. */
export interface StreamView {
  sequence: number;
  heldSince: string | null;
}

export interface AnswersOptions {
  user: string;
  /** The server's UTC date, `YYYY-MM-DD`. */
  today: string;
  streamOf: (subject: string) => StreamView;
  /** Of a budget; only where the model follows changes. */
  changesOf?: (budgetId: string) => Changes | undefined;
}

const TRANSACTIONS_MAX = 1000;
const OTHERS_MAX = 500;

/** Null means 404 in every answer. Every call answers from the current state. */
export function createAnswers(world: World, options: AnswersOptions) {
  const { user, today, streamOf, changesOf } = options;
  const spaceOf = (budget: Budget) => world.spaces.get(budget.spaceId);
  const isReached = (budget: Budget) => spaceOf(budget)?.members.has(user) === true;
  const reach = <T>(budgetId: string, answer: (budget: Budget) => T): T | null => {
    const budget = world.budgets.get(budgetId);
    return budget && isReached(budget) ? answer(budget) : null;
  };
  return {
    /** @param token the budgets that a token may read */
    budgets(token: TokenReach = { budgets: null }) {
      const budgets = [...world.budgets.values()]
        .filter(budget => isReached(budget) && (token.budgets?.includes(budget.id) ?? true))
        .sort(byNameThenId)
        .map(budget => budgetJson(budget, spaceOf(budget)?.name ?? null));
      return { budgets };
    },
    accounts: (budgetId: string, { name }: NamedQuery = {}) =>
      reach(budgetId, budget => accountsBody(budget, today, name)),
    transactions: (budgetId: string, filters: TransactionFilters = {}) =>
      reach(budgetId, budget => transactionsBody(budget, filters)),
    transaction: (budgetId: string, id: string) =>
      reach(budgetId, budget => {
        const row = budget.rows.get(id);
        return row ? transactionJson(budget, row) : null;
      }),
    categories: (budgetId: string, query: CategoriesQuery = {}) =>
      reach(budgetId, budget => categoriesBody(budget, query)),
    payees: (budgetId: string, query: NamedQuery = {}) =>
      reach(budgetId, ({ payees }) => paged('payees', namesJson(payees, query), query)),
    labels: (budgetId: string, query: NamedQuery = {}) =>
      reach(budgetId, ({ labels }) => paged('labels', namesJson(labels, query), query)),
    /** @param month `YYYY-MM`, 0001-01 to 9999-12 */
    month: (budgetId: string, month: string) =>
      reach(budgetId, budget => monthJson(monthsOf(budget)(month))),
    months: (budgetId: string, query: MonthsQuery) =>
      reach(budgetId, budget => ({
        months: monthsIn(query, today).map(monthsOf(budget)).map(monthJson),
      })),
    categoryMonths: (budgetId: string, query: CategoryMonthsQuery) =>
      reach(budgetId, budget => categoryMonthsBody(budget, query, today)),
    balances: (budgetId: string, query: BalancesQuery) =>
      reach(budgetId, budget => balancesBody(budget, query)),
    sums: (budgetId: string, query: SumsQuery) =>
      reach(budgetId, budget => sumsBody(budget, query)),
    /** @param since the position of a client's last page, 0 for none */
    changes: (budgetId: string, since = 0) =>
      reach(budgetId, budget =>
        changesBody(budget, changesOf?.(budgetId) ?? noChanges(), { since, today }),
      ),
    /** `X-Projection-Position`: the budget's last applied sequence. */
    position: (budgetId: string) => reach(budgetId, budget => streamOf(budget.id).sequence),
    /** `X-Projection-Parked-Since`, or null when the budget is not held, or unknown. */
    parkedSince: (budgetId: string) =>
      reach(budgetId, budget => {
        const { heldSince } = streamOf(budget.id);
        return heldSince === null ? null : shownTime(heldSince);
      }),
  };
}

export type Answers = ReturnType<typeof createAnswers>;

function paged<K extends string, T>(key: K, all: readonly T[], page: Page) {
  const limitMax = key === 'transactions' ? TRANSACTIONS_MAX : OTHERS_MAX;
  const { limit = limitMax, offset = 0 } = page;
  const rows = all.slice(offset, offset + limit);
  const pagination = { limit, offset, has_more: rows.length === limit };
  return { [key]: rows, pagination } as { [key in K]: T[] } & { pagination: typeof pagination };
}

function namesJson(things: Map<string, IdAndName>, { name: wanted }: NamedQuery) {
  return [...things.values()]
    .filter(({ name }) => isNamed(name, wanted))
    .sort(byNameThenId)
    .map(({ id, name }) => ({ id, name }));
}

function isNamed(name: string, wanted: string | undefined): boolean {
  return wanted === undefined || normalizeText(name) === normalizeText(wanted);
}

function budgetJson(budget: Budget, spaceName: string | null) {
  return {
    id: budget.id,
    spaceId: budget.spaceId,
    spaceName,
    name: budget.name,
    currency: budget.currency,
    createdAt: budget.createdAt,
    archivedAt: budget.archivedAt,
  };
}

function accountsBody(budget: Budget, today: string, wanted?: string) {
  const accounts = [...budget.accounts.values()]
    .filter(({ name }) => isNamed(name, wanted))
    .sort(byPosition)
    .map(account => accountJson(budget, account, today));
  return { accounts };
}

function transactionsBody(budget: Budget, filters: TransactionFilters) {
  const named = [
    [filters.account_id, budget.accounts],
    [filters.category_id, budget.categories],
    [filters.payee_id, budget.payees],
    [filters.label_id, budget.labels],
  ] as const;
  if (named.some(([id, things]) => id !== undefined && !things.has(id))) return null;
  const rows = [...budget.rows.values()]
    .filter(row => isWanted(budget, row, filters))
    .sort((a, b) => (a.date === b.date ? b.entered - a.entered : a.date < b.date ? 1 : -1))
    .map(row => transactionJson(budget, row));
  return paged('transactions', rows, filters);
}

function isWanted(budget: Budget, row: Row, filters: TransactionFilters): boolean {
  const { uncategorized, uncleared, search, label_id: label, min_amount: min } = filters;
  const max = filters.max_amount;
  return (
    (filters.payee_id ?? row.payeeId) === row.payeeId &&
    (label === undefined || row.labelIds.includes(label)) &&
    (filters.type ?? row.type) === row.type &&
    (min === undefined || row.amount >= hundredthsOf(min)) &&
    (max === undefined || row.amount <= hundredthsOf(max)) &&
    (filters.account_id ?? row.accountId) === row.accountId &&
    (filters.category_id ?? row.categoryId) === row.categoryId &&
    (filters.start_date ?? row.date) <= row.date &&
    (filters.end_date ?? row.date) >= row.date &&
    (uncategorized === undefined || uncategorized === isUncategorized(budget, row)) &&
    (uncleared === undefined || uncleared === !row.cleared) &&
    (search === undefined || isFound(budget, row, normalizeText(search)))
  );
}

function isFound(budget: Budget, row: Row, normalized: string): boolean {
  const { payeeName, memo, categoryName } = transactionJson(budget, row);
  return [payeeName, memo, categoryName].some(
    text => text !== null && normalizeText(text).includes(normalized),
  );
}

function categoriesBody(budget: Budget, query: CategoriesQuery) {
  const isShown = ({ hidden }: { hidden: boolean }) => query.include_hidden === true || !hidden;
  const groups = [...budget.groups.values()]
    .filter(isShown)
    .sort(byPosition)
    .map(group => ({
      id: group.id,
      name: group.name,
      hidden: group.hidden,
      budgetMode: group.budgetMode,
      categories: [...budget.categories.values()]
        .filter(category => category.groupId === group.id && isShown(category))
        .filter(({ name }) => isNamed(name, query.name))
        .sort(byPosition)
        .map(({ id, groupId, name, hidden, note }) => ({ id, groupId, name, hidden, note })),
    }))
    .filter(({ categories }) => query.name === undefined || categories.length > 0);
  return paged('categoryGroups', groups, query);
}

function monthJson(figures: MonthFigures) {
  return {
    month: figures.month,
    readyToAssign: moneyText(figures.readyToAssign),
    assigned: moneyText(figures.assigned),
    cashBalance: moneyText(figures.cash),
    overspentTotal: moneyText(figures.overspent),
    overspentCount: figures.overspentCount,
    uncategorizedCount: figures.uncategorizedCount,
    heldForNextMonth: moneyText(figures.heldForNextMonth),
  };
}
