// What rows add up to: GET /months, /months/{month}, /category-months, /balances and /sums.
import type {
  BalancesQuery,
  CategoryMonthsQuery,
  MonthListQuery,
  MonthsQuery,
  SumsQuery,
} from '../../../schemas/generated/queries.ts';
import { readBalances } from '../../store/reading/queries/balances.ts';
import { setHas } from '../../store/reading/queries/by-id.ts';
import { readCategoryMonths } from '../../store/reading/queries/category-months.ts';
import { readMonths, readYear, servedMonthOf } from '../../store/reading/queries/months.ts';
import { countPoints } from '../../store/reading/queries/point-dates.ts';
import { readSums, SUMS_VERSION_MIN } from '../../store/reading/queries/sums.ts';
import { thingFilters } from '../../store/reading/queries/sums-source.ts';
import { badParameters, type ParameterProblem, upgrading } from '../api-error.ts';
import { rangeOfMonths, startsByEnd } from '../ranges.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage } from './route.ts';

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
  dependsOn: (_reached, today, query) => categoryRange.dependsOn(query, today),
  async read({ reading, reached: { set }, query, today }) {
    const { include_hidden: includeHidden, category_id: categoryId } = query;
    const months = categoryRange.months(query, today);
    const body = await readCategoryMonths(reading, set, { months, includeHidden, categoryId });
    if (typeof body === 'string') return body;
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
  async read({ reading, reached: { set }, query }) {
    const { start_date: start, end_date: end, interval, account_id: accountId } = query;
    const points = await readBalances(reading, set, { start, end, interval, accountId });
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
  async read({ reading, reached: { set }, query }) {
    return listPage(query, 'sums', await readSums(reading, set, query));
  },
});
