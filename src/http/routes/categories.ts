// GET /categories
import type { CategoriesQuery } from '../../../schemas/generated/queries.ts';
import { readCategoryGroups } from '../../store/reading/queries/categories.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage } from './route.ts';

export const categories = ofBudget<CategoriesQuery>({
  async read({ reading, reached: { set }, query }) {
    const { limit, offset, include_hidden: includeHidden, name } = query;
    const options = { limit, offset, includeHidden, ...(name !== undefined && { name }) };
    const categoryGroups = await readCategoryGroups(reading, set, options);
    return listPage(query, 'categoryGroups', categoryGroups);
  },
});
