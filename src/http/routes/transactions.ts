// GET /transactions
import type { TransactionsQuery } from '../../../schemas/generated/queries.ts';
import { csvRows } from '../../store/reading/queries/csv-rows.ts';
import { joinRows } from '../../store/reading/queries/join-rows.ts';
import { setHas } from '../../store/reading/queries/set-has.ts';
import { isServedBy, namedBy } from '../../store/reading/queries/transaction-filter.ts';
import { readTransactions } from '../../store/reading/queries/transactions.ts';
import { minByMax } from '../amount-range.ts';
import { upgrading } from '../api-error.ts';
import { startsByEnd } from '../date-range.ts';
import { ofBudget } from './answer-budget.ts';
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
