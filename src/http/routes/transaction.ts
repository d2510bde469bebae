// GET /transactions/{transaction_id}
import type { TransactionQuery } from '../../../schemas/generated/queries.ts';
import { setHas } from '../../store/reading/queries/set-has.ts';
import { readTransaction } from '../../store/reading/queries/transaction.ts';
import { ofBudget } from './answer-budget.ts';

export const transaction = ofBudget<TransactionQuery>({
  exists: (reading, { set }, { transaction_id: id }) =>
    setHas(reading, set, [{ kind: 'rows', id }]),
  read: ({ reading, reached: { set }, query }) =>
    readTransaction(reading, set, query.transaction_id),
});
