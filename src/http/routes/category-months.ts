// GET /category-months
import type { CategoryMonthsQuery } from '../../../schemas/generated/queries.ts';
import { readCategoryMonths } from '../../store/reading/queries/category-months.ts';
import { setHas } from '../../store/reading/queries/set-has.ts';
import { rangeOfMonths } from '../month-range.ts';
import { ofBudget } from './answer-budget.ts';

const range = rangeOfMonths(60);

export const categoryMonths = ofBudget<CategoryMonthsQuery>({
  rules: [range.checkRange],
  idsExist: (reading, { set }, { category_id: id }) =>
    setHas(reading, set, id === undefined ? [] : [{ kind: 'categories', id }]),
  dependsOn: (_reached, today, query) => range.dependsOn(query, today),
  async read({ reading, reached: { set }, query, today }) {
    const { include_hidden: includeHidden, category_id: categoryId } = query;
    const months = range.months(query, today);
    return await readCategoryMonths(reading, set, { months, includeHidden, categoryId });
  },
});
