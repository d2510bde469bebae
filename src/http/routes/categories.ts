// GET /categories
import type { CategoriesQuery } from '../../../schemas/generated/queries.ts';
import { readCategoryGroups } from '../../read-store/queries/categories.ts';
import { ofBudget } from '../answer-budget.ts';
import { pagination } from './route.ts';

export const categories = ofBudget<CategoriesQuery>({
  async read({ reading, reached: { set }, query }) {
    const { limit, offset, include_hidden: includeHidden } = query;
    const options = { limit, offset, includeHidden };
    const categoryGroups = await readCategoryGroups(reading, set, options);
    return JSON.stringify({ categoryGroups, pagination: pagination(query, categoryGroups.length) });
  },
});
