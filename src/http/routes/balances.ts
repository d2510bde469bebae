// GET /balances
import type { BalancesQuery } from '../../../schemas/generated/queries.ts';
import { readBalances } from '../../store/reading/queries/balances.ts';
import { countPoints } from '../../store/reading/queries/point-dates.ts';
import { setHas } from '../../store/reading/queries/set-has.ts';
import type { ParameterProblem } from '../api-error.ts';
import { startsByEnd } from '../date-range.ts';
import { ofBudget } from './answer-budget.ts';

const POINTS_MAX = 1000;

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
