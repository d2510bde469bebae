// GET /payees
import type { PayeesQuery } from '../../../schemas/generated/queries.ts';
import { readNamed } from '../../store/reading/queries/named.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage } from './route.ts';

export const payees = ofBudget<PayeesQuery>({
  async read({ reading, reached: { set }, query }) {
    const rows = await readNamed(reading, { kind: 'payees', set }, query);
    return listPage(query, 'payees', rows);
  },
});
