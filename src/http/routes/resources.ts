// What a budget has: GET /accounts, /transactions and /transactions/{transaction_id}, /categories, /payees and /labels. And
// what its rows add up to: GET /months, /months/{month}, /category-months, /balances and /sums.
import type {
  AccountsQuery,
  BalancesQuery,
  CategoriesQuery,
  CategoryMonthsQuery,
  LabelsQuery,
  MonthListQuery,
  MonthsQuery,
  PayeesQuery,
  SumsQuery,
  TransactionQuery,
  TransactionsQuery,
} from '../../../schemas/generated/queries.ts';
import { hasFutureRows, readAccounts } from '../../store/reading/queries/accounts.ts';
import { readBalances } from '../../store/reading/queries/balances.ts';
import { setHas } from '../../store/reading/queries/by-id.ts';
import { readCategoryGroups } from '../../store/reading/queries/categories.ts';
import { readCategoryMonths } from '../../store/reading/queries/category-months.ts';
import { readMonths, readYear, servedMonthOf } from '../../store/reading/queries/months.ts';
import { readNamed } from '../../store/reading/queries/named.ts';
import { csvRows, joinRows } from '../../store/reading/queries/page-bodies.ts';
import { countPoints } from '../../store/reading/queries/point-dates.ts';
import { readSums, SUMS_VERSION_MIN } from '../../store/reading/queries/sums.ts';
import { thingFilters } from '../../store/reading/queries/sums-source.ts';
import { isServedBy, namedBy } from '../../store/reading/queries/transaction-filter.ts';
import { readTransaction, readTransactions } from '../../store/reading/queries/transactions.ts';
import { badParameters, type ParameterProblem, upgrading } from '../api-error.ts';
import { minByMax, rangeOfMonths, startsByEnd } from '../ranges.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage, nextPage } from './route.ts';

/** GET /accounts */
export const accounts = ofBudget<AccountsQuery>({
  dependsOn: (reached, today) => (hasFutureRows(reached, today) ? [today] : []),
  async read({ reading, reached: { set }, query: { name }, today, takeRoom }) {
    const accounts = await readAccounts({ reading, set, takeRoom }, { today, name });
    return JSON.stringify({ accounts });
  },
});

/** GET /transactions */
export const transactions = ofBudget<TransactionsQuery>({
  rules: [startsByEnd, minByMax],
  idsExist: (reading, { set }, query) => setHas(reading, set, namedBy(query)),
  admit({ version }, _reached, query) {
    if (isServedBy(version ?? 0, query)) return;
    throw upgrading('this filter comes');
  },
  hasCsv: true,
  async read({ reading, reached: { set }, query, asCsv, takeRoom }) {
    const batches = await readTransactions({ reading, set, takeRoom }, query);
    const { body, rows } = asCsv ? await csvRows(batches) : joinRows(batches, query);
    return { body, next: nextPage(query, rows) };
  },
});

/** GET /transactions/{transaction_id} */
export const transaction = ofBudget<TransactionQuery>({
  exists: (reading, { set }, { transaction_id: id }) =>
    setHas(reading, set, [{ kind: 'rows', id }]),
  read: ({ reading, reached: { set }, query }) =>
    readTransaction(reading, set, query.transaction_id),
});

/** GET /categories */
export const categories = ofBudget<CategoriesQuery>({
  mayRefuse: true,
  async read({ reading, reached: { set }, query, takeRoom }) {
    const { limit, offset, include_hidden: includeHidden, name } = query;
    const options = { limit, offset, includeHidden, ...(name !== undefined && { name }) };
    const groups = await readCategoryGroups({ reading, set, takeRoom }, options);
    if (!('groupsMax' in groups)) return listPage(query, 'categoryGroups', groups);
    const message = `Expected at most ${groups.groupsMax} groups of so long notes, got ${limit}`;
    throw badParameters([{ param: 'limit', code: 'invalid_parameter', message }]);
  },
});

/** GET /payees */
export const payees = ofBudget<PayeesQuery>({
  async read({ reading, reached: { set }, query }) {
    const rows = await readNamed(reading, { kind: 'payees', set }, query);
    return listPage(query, 'payees', rows);
  },
});

/** GET /labels */
export const labels = ofBudget<LabelsQuery>({
  async read({ reading, reached: { set }, query }) {
    const rows = await readNamed(reading, { kind: 'labels', set }, query);
    return listPage(query, 'labels', rows);
  },
});

const listRange = rangeOfMonths(120);
const categoryRange = rangeOfMonths(60);

/** GET /months */
export const monthList = ofBudget<MonthListQuery>({
  rules: [listRange.checkRange],
  dependsOn: (_reached, today, query) => listRange.dependsOn(query, today),
  read: async ({ reading, reached: { set }, query, today }) =>
    JSON.stringify({ months: await readMonths(reading, set, listRange.months(query, today)) }),
});

/** GET /months/{month} */
export const months = ofBudget<MonthsQuery>({
  async read({ reading, reached: { set, sequence }, query: { month }, years }) {
    const year = month.slice(0, 4);
    const shared = reading.shared ?? reading;
    const requested = { reading: shared, set, sequence, year };
    const figures = await years.get(requested, () => readYear(shared, set, year));
    return JSON.stringify(servedMonthOf(figures, month));
  },
});

/** GET /category-months */
export const categoryMonths = ofBudget<CategoryMonthsQuery>({
  rules: [categoryRange.checkRange],
  idsExist: (reading, { set }, { category_id: id }) =>
    setHas(reading, set, id === undefined ? [] : [{ kind: 'categories', id }]),
  mayRefuse: true,
  dependsOn: (_reached, today, query) => categoryRange.dependsOn(query, today),
  async read({ reading, reached: { set }, query, today, takeRoom }) {
    const { include_hidden: includeHidden, category_id: categoryId } = query;
    const months = categoryRange.months(query, today);
    const source = { reading, set, takeRoom };
    const body = await readCategoryMonths(source, { months, includeHidden, categoryId });
    if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
    const expected = `at most ${body.monthsMax} months of a budget with so many categories`;
    const message = `Expected ${expected}, got ${months.length}`;
    throw badParameters([{ param: 'end_month', code: 'invalid_parameter', message }]);
  },
});

/** More points than this are refused. */
const POINTS_MAX = 1000;

/** GET /balances */
export const balances = ofBudget<BalancesQuery>({
  rules: [startsByEnd, checkPoints],
  idsExist: (reading, { set }, { account_id: id }) =>
    setHas(reading, set, id === undefined ? [] : [{ kind: 'accounts', id }]),
  async read({ reading, reached: { set }, query, takeRoom }) {
    const { start_date: start, end_date: end, interval, account_id: accountId } = query;
    const source = { reading, set, takeRoom };
    const points = await readBalances(source, { start, end, interval, accountId });
    return JSON.stringify({ points });
  },
});

function checkPoints({
  start_date: start,
  end_date: end,
  interval,
}: Partial<BalancesQuery>): ParameterProblem | null {
  if (start === undefined || end === undefined || interval === undefined) return null;
  const points = countPoints({ start, end, interval });
  if (points <= POINTS_MAX) return null;
  const range = `from start_date (${start}) to end_date (${end})`;
  const message = `Expected at most ${POINTS_MAX} points ${range}, got ${points}`;
  return { param: 'end_date', code: 'invalid_parameter', message };
}

/** GET /sums */
export const sums = ofBudget<SumsQuery>({
  rules: [startsByEnd],
  idsExist: (reading, { set }, query) => setHas(reading, set, thingFilters(query)),
  admit({ version }) {
    if ((version ?? 0) >= SUMS_VERSION_MIN) return;
    throw upgrading('sums come');
  },
  async read({ reading, reached: { set }, query, takeRoom }) {
    return listPage(query, 'sums', await readSums({ reading, set, takeRoom }, query));
  },
});
