// GET /months/{month}
import type { MonthsQuery } from '../../../schemas/generated/queries.ts';
import { readYear, servedMonthOf } from '../../store/reading/queries/months.ts';
import { ofBudget } from './answer-budget.ts';

export const months = ofBudget<MonthsQuery>({
  async read({ reading, reached: { set, sequence }, query: { month }, years }) {
    const year = month.slice(0, 4);
    const shared = reading.shared ?? reading;
    const requested = { reading: shared, set, sequence, year };
    const figures = await years.get(requested, () => readYear(shared, set, year));
    return JSON.stringify(servedMonthOf(figures, month));
  },
});
