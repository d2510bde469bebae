// GET /months/{month}
import { readMonth } from '../../read-store/queries/months.ts';
import type { BudgetRoute } from './route.ts';

export const months: BudgetRoute = {
  read: async (reading, { set }, values) =>
    JSON.stringify(await readMonth(reading, set, values.month as string)),
};
