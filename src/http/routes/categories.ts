// GET /categories
import { readCategoryGroups } from '../../read-store/queries/categories.ts';
import { type BudgetRoute, pageOf, pagination } from './route.ts';

export const categories: BudgetRoute = {
  async read(reading, { set }, values) {
    const page = pageOf(values);
    const includeHidden = values.include_hidden === true;
    const categoryGroups = await readCategoryGroups(reading, set, { ...page, includeHidden });
    return JSON.stringify({ categoryGroups, pagination: pagination(page, categoryGroups.length) });
  },
};
