// GET /payees
import { readNamed } from '../../read-store/queries/named.ts';
import { type BudgetRoute, pageOf, pagination } from './route.ts';

export const payees: BudgetRoute = {
  async read(reading, { set }, values) {
    const page = pageOf(values);
    const rows = await readNamed(reading, 'payees', set, page);
    return JSON.stringify({ payees: rows, pagination: pagination(page, rows.length) });
  },
};
