// Rows are found again without a search among all that are alike.
import test from 'ava';
import type { Row } from '../../../projections/documents.ts';
import { createIdMatches } from '../../../src/import/into/id-matches.ts';
import { matchRows } from '../../../src/import/into/match-rows.ts';
import type { BudgetPlan } from '../../../src/import/plan.ts';

const DAY_MS = 86_400_000;
const dateOf = (day: number) =>
  new Date(Date.UTC(1990, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);

/** Matches rows that differ in nothing but their days, in the order of the given days. */
function matched(planned: readonly number[], current: readonly number[]) {
  const accounts = createIdMatches('account');
  accounts.match('planned', 'current');
  const same = { amount: -100, memo: 'coffee' };
  const rows = planned.map((day, at) => ({
    ...{ ...same, id: `p${at}`, accountId: 'planned', payeeId: null, date: dateOf(day) },
  }));
  const old = current.map((day, entry) => ({
    ...{
      ...same,
      id: `c${entry}`,
      accountId: 'current',
      payeeName: null,
      date: dateOf(day),
      entry,
    },
  }));
  const plan = { rows, payees: [] } as unknown as BudgetPlan;
  const { found } = matchRows(plan, old as unknown as Row[], accounts);
  return [...found].map(([id, { id: other }]) => [id, other]);
}

test('of rows that are alike the first one within 14 days is taken', t => {
  t.deepEqual(matched([0, 20], [30, 14, 6, 15]), [
    ['p0', 'c1'],
    ['p1', 'c0'],
  ]);
  t.deepEqual(matched([0], [15, -15]), []);
  t.deepEqual(matched([0, 0], [0, 1, 0]), [
    ['p0', 'c0'],
    ['p1', 'c2'],
  ]);
});

test('30,000 alike rows, none of which is near, are compared in no quadratic time', t => {
  const days = Array.from({ length: 30_000 }, (_, at) => at % 5000);
  const later = days.map(day => day + 6000);
  t.deepEqual(matched(days, later), []);
});
