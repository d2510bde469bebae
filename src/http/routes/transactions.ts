// GET /transactions
import type { TransactionsQuery } from '../../../schemas/generated/queries.ts';
import type { TransactionsQuery as RowQuery } from '../../read-store/queries/transaction-filter.ts';
import { filterIdsExist, readTransactions } from '../../read-store/queries/transactions.ts';
import { ofBudget } from '../answer-budget.ts';
import type { ParameterProblem } from '../api-error.ts';

export const transactions = ofBudget<TransactionsQuery>({
  rules: [startsByEnd],
  idsExist: (reading, { set }, query) => filterIdsExist(reading, set, toQuery(query)),
  read: ({ reading, reached: { set }, query }) => readTransactions(reading, set, toQuery(query)),
});

/** Dates of one length compare as texts. */
function startsByEnd({
  start_date: start,
  end_date: end,
}: Partial<TransactionsQuery>): ParameterProblem | null {
  if (start === undefined || end === undefined || start <= end) return null;
  const message = `Expected end_date not to be before start_date (${start}), got ${end}`;
  return { param: 'end_date', code: 'invalid_parameter', message };
}

function toQuery(query: TransactionsQuery): RowQuery {
  return {
    limit: query.limit,
    offset: query.offset,
    accountId: query.account_id,
    categoryId: query.category_id,
    startDate: query.start_date,
    endDate: query.end_date,
    search: query.search,
    uncategorized: query.uncategorized,
    uncleared: query.uncleared,
  };
}
