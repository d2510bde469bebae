// GET /transactions
import type { TransactionsQuery } from '../../../schemas/generated/queries.ts';
import { csvRows } from '../../read-store/queries/csv-rows.ts';
import { joinRows } from '../../read-store/queries/join-rows.ts';
import { setHas } from '../../read-store/queries/set-has.ts';
import { isServedBy, namedBy } from '../../read-store/queries/transaction-filter.ts';
import { readTransactions } from '../../read-store/queries/transactions.ts';
import { minByMax } from '../amount-range.ts';
import { ofBudget } from '../answer-budget.ts';
import { upgrading } from '../api-error.ts';
import { startsByEnd } from '../date-range.ts';
import { nextPage } from './route.ts';

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
