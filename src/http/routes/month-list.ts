// GET /months
import type { MonthListQuery } from '../../../schemas/generated/queries.ts';
import { readMonths } from '../../store/reading/queries/months.ts';
import { rangeOfMonths } from '../month-range.ts';
import { ofBudget } from './answer-budget.ts';

const range = rangeOfMonths(120);

export const monthList = ofBudget<MonthListQuery>({
  rules: [range.checkRange],
  dependsOn: (_reached, today, query) => range.dependsOn(query, today),
  read: async ({ reading, reached: { set }, query, today }) =>
    JSON.stringify({ months: await readMonths(reading, set, range.months(query, today)) }),
});
