// GET /months/{month}
import type { MonthsQuery } from '../../../schemas/generated/queries.ts';
import { readMonth } from '../../read-store/queries/months.ts';
import { ofBudget } from '../answer-budget.ts';

export const months = ofBudget<MonthsQuery>({
  read: async ({ reading, reached: { set }, query }) =>
    JSON.stringify(await readMonth(reading, set, query.month)),
});
