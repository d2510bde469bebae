// GET /labels
import { readNamed } from '../../read-store/queries/named.ts';
import { type BudgetRoute, pageOf, pagination } from './route.ts';

export const labels: BudgetRoute = {
  async read(reading, { set }, values) {
    const page = pageOf(values);
    const rows = await readNamed(reading, 'labels', set, page);
    return JSON.stringify({ labels: rows, pagination: pagination(page, rows.length) });
  },
};
