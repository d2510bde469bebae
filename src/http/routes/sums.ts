// GET /sums
import type { SumsQuery } from '../../../schemas/generated/queries.ts';
import { setHas } from '../../store/reading/queries/set-has.ts';
import { readSums, SUMS_VERSION_MIN } from '../../store/reading/queries/sums.ts';
import { thingFilters } from '../../store/reading/queries/sums-source.ts';
import { upgrading } from '../api-error.ts';
import { startsByEnd } from '../date-range.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage } from './route.ts';

export const sums = ofBudget<SumsQuery>({
  rules: [startsByEnd],
  idsExist: (reading, { set }, query) => setHas(reading, set, thingFilters(query)),
  admit({ version }) {
    if ((version ?? 0) >= SUMS_VERSION_MIN) return;
    throw upgrading('sums come');
  },
  async read({ reading, reached: { set }, query }) {
    return listPage(query, 'sums', await readSums(reading, set, query));
  },
});
