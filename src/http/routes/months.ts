// GET /months, /months/{month} and /category-months.
import type {
  CategoryMonthsQuery,
  MonthListQuery,
  MonthsQuery,
} from '../../../schemas/generated/queries.ts';
import { setHas } from '../../store/reading/queries/by-id.ts';
import { readCategoryMonths } from '../../store/reading/queries/category-months.ts';
import { readMonths, readYear, servedMonthOf } from '../../store/reading/queries/months.ts';
import { badParameters } from '../api-error.ts';
import { rangeOfMonths } from '../ranges.ts';
import { ofBudget } from './answer-budget.ts';

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
