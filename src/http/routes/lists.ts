// The lists of what a budget has: GET /accounts, /categories, /payees and /labels.
import type {
  AccountsQuery,
  CategoriesQuery,
  LabelsQuery,
  PayeesQuery,
} from '../../../schemas/generated/queries.ts';
import { hasFutureRows, readAccounts } from '../../store/reading/queries/accounts.ts';
import { readCategoryGroups } from '../../store/reading/queries/categories.ts';
import { readNamed } from '../../store/reading/queries/named.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage } from './route.ts';

/** GET /accounts */
export const accounts = ofBudget<AccountsQuery>({
  dependsOn: (reached, today) => (hasFutureRows(reached, today) ? [today] : []),
  read: async ({ reading, reached, query: { name }, today }) =>
    JSON.stringify({ accounts: await readAccounts(reading, reached, { today, name }) }),
});

/** GET /categories */
export const categories = ofBudget<CategoriesQuery>({
  async read({ reading, reached: { set }, query }) {
    const { limit, offset, include_hidden: includeHidden, name } = query;
    const options = { limit, offset, includeHidden, ...(name !== undefined && { name }) };
    const categoryGroups = await readCategoryGroups(reading, set, options);
    return listPage(query, 'categoryGroups', categoryGroups);
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
