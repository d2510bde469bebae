// GET /transactions
import type { TransactionsQuery } from '../../read-store/queries/transaction-filter.ts';
import { filterIdsExist, readTransactions } from '../../read-store/queries/transactions.ts';
import type { ParameterProblem } from '../api-error.ts';
import type { Values } from '../parameters.ts';
import { type BudgetRoute, pageOf } from './route.ts';

export const transactions: BudgetRoute = {
  rules: [startsByEnd],
  idsExist: (reading, { set }, values) => filterIdsExist(reading, set, toQuery(values)),
  read: (reading, { set }, values) => readTransactions(reading, set, toQuery(values)),
};

/** Dates of one length compare as texts. */
function startsByEnd({ start_date: start, end_date: end }: Values): ParameterProblem | null {
  if (start === undefined || end === undefined || start <= end) return null;
  const message = `Expected end_date not to be before start_date (${start}), got ${end}`;
  return { param: 'end_date', code: 'invalid_parameter', message };
}

function toQuery(values: Values): TransactionsQuery {
  return {
    ...pageOf(values),
    accountId: values.account_id as string | undefined,
    categoryId: values.category_id as string | undefined,
    startDate: values.start_date as string | undefined,
    endDate: values.end_date as string | undefined,
    search: values.search as string | undefined,
    uncategorized: values.uncategorized as boolean | undefined,
    uncleared: values.uncleared as boolean | undefined,
  };
}
