// GET /transactions
import type { TransactionsQuery } from '../../../schemas/generated/queries.ts';
import { csvRows } from '../../read-store/queries/csv-rows.ts';
import { joinRows } from '../../read-store/queries/join-rows.ts';
import { filterIdsExist, readTransactions } from '../../read-store/queries/transactions.ts';
import { ofBudget } from '../answer-budget.ts';
import { startsByEnd } from '../date-range.ts';

export const transactions = ofBudget<TransactionsQuery>({
  rules: [startsByEnd],
  idsExist: (reading, { set }, query) => filterIdsExist(reading, set, query),
  hasCsv: true,
  async read({ reading, reached: { set }, query, asCsv }) {
    const batches = await readTransactions(reading, set, query);
    const { body, rows } = asCsv ? csvRows(batches) : joinRows(batches, query);
    return { body, nextOffset: rows === query.limit ? query.offset + query.limit : null };
  },
});
