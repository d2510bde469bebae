// GET /payees
import type { PayeesQuery } from '../../../schemas/generated/queries.ts';
import { readNamed } from '../../read-store/queries/named.ts';
import { ofBudget } from '../answer-budget.ts';
import { nextPage, pagination } from './route.ts';

export const payees = ofBudget<PayeesQuery>({
  async read({ reading, reached: { set }, query }) {
    const rows = await readNamed(reading, { kind: 'payees', set }, query);
    const body = JSON.stringify({ payees: rows, pagination: pagination(query, rows.length) });
    return { body, next: nextPage(query, rows.length) };
  },
});
