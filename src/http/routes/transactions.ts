// GET /transactions
import type { TransactionsQuery } from '../../../schemas/generated/queries.ts';
import { filterIdsExist, readTransactions } from '../../read-store/queries/transactions.ts';
import { ofBudget } from '../answer-budget.ts';
import { startsByEnd } from '../date-range.ts';

export const transactions = ofBudget<TransactionsQuery>({
  rules: [startsByEnd],
  idsExist: (reading, { set }, query) => filterIdsExist(reading, set, query),
  read: ({ reading, reached: { set }, query }) => readTransactions(reading, set, query),
});
