// The lists of what a budget has: GET /accounts, /transactions and /transactions/{transaction_id}, /categories, /payees and
// /labels.
import type {
  AccountsQuery,
  CategoriesQuery,
  LabelsQuery,
  PayeesQuery,
  TransactionQuery,
  TransactionsQuery,
} from '../../../schemas/generated/queries.ts';
import { hasFutureRows, readAccounts } from '../../store/reading/queries/accounts.ts';
import { setHas } from '../../store/reading/queries/by-id.ts';
import { readCategoryGroups } from '../../store/reading/queries/categories.ts';
import { readNamed } from '../../store/reading/queries/named.ts';
import { csvRows, joinRows } from '../../store/reading/queries/page-bodies.ts';
import { isServedBy, namedBy } from '../../store/reading/queries/transaction-filter.ts';
import { readTransaction, readTransactions } from '../../store/reading/queries/transactions.ts';
import { upgrading } from '../api-error.ts';
import { minByMax, startsByEnd } from '../ranges.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage, nextPage } from './route.ts';

/** GET /accounts */
export const accounts = ofBudget<AccountsQuery>({
  dependsOn: (reached, today) => (hasFutureRows(reached, today) ? [today] : []),
  read: async ({ reading, reached, query: { name }, today }) =>
    JSON.stringify({ accounts: await readAccounts(reading, reached, { today, name }) }),
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
  async read({ reading, reached: { set }, query, asCsv }) {
    const batches = await readTransactions(reading, set, query);
    const { body, rows } = asCsv ? csvRows(batches) : joinRows(batches, query);
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
