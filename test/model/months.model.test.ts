// The months of random budgets: rules/months.md#law, rules/months.md#closed-form, and agreement with the other answers.
import test from 'ava';
import { randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import type { Answers } from './answers.ts';
import { lastDayOf, monthIndex, monthText } from './calendar.ts';
import { hundredthsOf, sum } from './money-text.ts';
import { played } from './played.ts';

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);
const SIZE = { events: 250, budgets: 2, spaces: 2, users: 3, wildNames: true };

test('rules/months.md#law holds in every month of every budget', t => {
  for (const seed of SEEDS) {
    const model = played(randomHistory({ ...SIZE, seed, invalidShare: 0.02 }));
    for (const id of model.budgetIds()) t.deepEqual(model.lawViolations(id), [], `seed ${seed}`);
  }
});

test('uncategorizedCount equals the rows of /transactions?uncategorized=true in that month', t => {
  let total = 0;
  for (const seed of SEEDS.slice(0, 10)) {
    const answers = played(randomHistory({ ...SIZE, seed })).answers('user-1', {
      today: HISTORY_TODAY,
    });
    for (const month of ['0001-01', '2024-02', '2025-06', '2025-12']) {
      const filters = {
        start_date: `${month}-01`,
        end_date: lastDayOf(month),
        uncategorized: true,
      };
      const rows = answers.transactions('budget-1', filters)?.transactions as unknown[] | undefined;
      const count = answers.month('budget-1', month)?.uncategorizedCount;
      t.is(count, rows?.length);
      total += rows?.length ?? 0;
    }
  }
  t.true(total > 10);
});

/** Returns I(m), computed from the other answers alone. */
function incomeOf(answers: Answers, month: string): bigint {
  const filters = { start_date: `${month}-01`, end_date: lastDayOf(month) };
  const groups = answers.categories('budget-1', { include_hidden: true })?.categoryGroups ?? [];
  const sources = groups
    .filter(({ budgetMode }) => budgetMode !== 'envelope')
    .flatMap(({ categories }) => categories.map(({ id }) => id));
  const accounts = answers.accounts('budget-1')?.accounts ?? [];
  const onBudget = accounts.filter(account => account.onBudget).map(({ id }) => id);
  const rows = answers.transactions('budget-1', filters)?.transactions ?? [];
  return sum(
    rows
      .filter(row => row.categoryId !== null && sources.includes(row.categoryId))
      .filter(row => onBudget.includes(row.accountId))
      .map(({ amount }) => hundredthsOf(amount)),
  );
}

test('rules/months.md#closed-form, computed from the other answers, holds month by month', t => {
  let overspent = 0n;
  for (const seed of SEEDS.slice(0, 12)) {
    const history = randomHistory({ ...SIZE, seed, wildNames: false });
    const answers = played(history).answers('user-1', { today: HISTORY_TODAY });
    if (answers.position('budget-1') === null) continue;
    let expected = 0n;
    for (let index = monthIndex('2023-11'); index <= monthIndex('2027-03'); index++) {
      const month = monthText(index);
      const figures = answers.month('budget-1', month);
      if (!figures) throw new Error(`Expected figures for ${month}, got a 404`);
      expected += incomeOf(answers, month) - hundredthsOf(figures.assigned);
      const heldForNextMonth = hundredthsOf(figures.heldForNextMonth);
      t.is(
        hundredthsOf(figures.readyToAssign),
        expected - heldForNextMonth,
        `seed ${seed}, ${month}`,
      );
      expected -= hundredthsOf(figures.overspentTotal);
      t.is(figures.overspentCount > 0, figures.overspentTotal !== '0.00');
      overspent += hundredthsOf(figures.overspentTotal);
    }
  }
  t.true(overspent > 0n);
});

test('all months after the last data are the same from the second on', t => {
  for (const seed of SEEDS.slice(0, 10)) {
    const history = randomHistory({ ...SIZE, seed, wildNames: false });
    const answers = played(history).answers('user-1', { today: HISTORY_TODAY });
    const second = answers.month('budget-1', '2027-02');
    for (const month of ['2027-03', '2031-07', '9999-12']) {
      t.deepEqual(answers.month('budget-1', month), second && { ...second, month });
    }
  }
});
