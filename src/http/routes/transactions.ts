// GET /transactions and /transactions/{transaction_id}.
import type { TransactionQuery, TransactionsQuery } from '../../../schemas/generated/queries.ts';
import { setHas } from '../../store/reading/queries/by-id.ts';
import { csvRows, joinRows } from '../../store/reading/queries/page-bodies.ts';
import { isServedBy, namedBy } from '../../store/reading/queries/transaction-filter.ts';
import { readTransaction, readTransactions } from '../../store/reading/queries/transactions.ts';
import { upgrading } from '../api-error.ts';
import { minByMax, startsByEnd } from '../ranges.ts';
import { ofBudget } from './answer-budget.ts';
import { nextPage } from './route.ts';

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
