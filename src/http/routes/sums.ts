// GET /sums
import type { SumsQuery } from '../../../schemas/generated/queries.ts';
import { readSums, SUMS_VERSION_MIN, sumFiltersExist } from '../../read-store/queries/sums.ts';
import { ofBudget } from '../answer-budget.ts';
import { unavailable } from '../api-error.ts';
import { startsByEnd } from '../date-range.ts';
import { nextPage, pagination } from './route.ts';

export const sums = ofBudget<SumsQuery>({
  rules: [startsByEnd],
  idsExist: (reading, { set }, query) => sumFiltersExist(reading, set, query),
  admit({ version }) {
    if ((version ?? 0) >= SUMS_VERSION_MIN) return;
    throw unavailable('The service is being upgraded: sums come when that is done');
  },
  async read({ reading, reached: { set }, query }) {
    const sums = await readSums(reading, set, query);
    const body = JSON.stringify({ sums, pagination: pagination(query, sums.length) });
    return { body, next: nextPage(query, sums.length) };
  },
});
