// What rows add up to: GET /balances and /sums.
import type { BalancesQuery, SumsQuery } from '../../../schemas/generated/queries.ts';
import { readBalances } from '../../store/reading/queries/balances.ts';
import { setHas } from '../../store/reading/queries/by-id.ts';
import { countPoints } from '../../store/reading/queries/point-dates.ts';
import { readSums, SUMS_VERSION_MIN } from '../../store/reading/queries/sums.ts';
import { thingFilters } from '../../store/reading/queries/sums-source.ts';
import { type ParameterProblem, upgrading } from '../api-error.ts';
import { startsByEnd } from '../ranges.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage } from './route.ts';

/** More points than this are refused. */
const POINTS_MAX = 1000;

/** GET /balances */
export const balances = ofBudget<BalancesQuery>({
  rules: [startsByEnd, checkPoints],
  idsExist: (reading, { set }, { account_id: id }) =>
    setHas(reading, set, id === undefined ? [] : [{ kind: 'accounts', id }]),
  async read({ reading, reached: { set }, query }) {
    const { start_date: start, end_date: end, interval, account_id: accountId } = query;
    const points = await readBalances(reading, set, { start, end, interval, accountId });
    return JSON.stringify({ points });
  },
});

function checkPoints({
  start_date: start,
  end_date: end,
  interval,
}: Partial<BalancesQuery>): ParameterProblem | null {
  if (start === undefined || end === undefined || interval === undefined) return null;
  const points = countPoints({ start, end, interval });
  if (points <= POINTS_MAX) return null;
  const range = `from start_date (${start}) to end_date (${end})`;
  const message = `Expected at most ${POINTS_MAX} points ${range}, got ${points}`;
  return { param: 'end_date', code: 'invalid_parameter', message };
}

/** GET /sums */
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
