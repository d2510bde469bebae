// Months, envelopes and balances over time: the worked example by hand, and the laws of
// rules/months.md#envelope-figures and rules/api.md#balances on random budgets.
import test from 'ava';
import { randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import type { Answers } from './answers.ts';
import { brokenBalanceLaws, brokenEnvelopeLaws } from './laws-over-time.ts';
import { hundredthsOf, moneyText, sum } from './money-text.ts';
import { played } from './played.ts';
import { account, category, createScene, group, row, TODAY } from './scene.ts';
import { MONTHS, SETTING } from './worked-example.ts';

function exampleScene() {
  const scene = createScene();
  scene.tellAll(...SETTING, ...MONTHS);
  return scene;
}

test('worked example: envelopes month by month', t => {
  const { answers } = exampleScene();
  const query = { start_month: '2024-01', end_month: '2024-03', category_id: 'food' };
  const figures = answers.categoryMonths('budget-1', query)?.months.map(({ month, categories }) => {
    const [food] = categories;
    return [month, food?.assigned, food?.activity, food?.available, food?.carriesOver];
  });
  t.deepEqual(figures, [
    ['2024-01', '300.00', '-345.00', '-45.00', false],
    ['2024-02', '300.00', '-100.00', '200.00', false],
    ['2024-03', '0.00', '0.00', '200.00', false],
  ]);
});

test('envelopes: in the order of /categories, hidden ones on request or by name, none of other groups', t => {
  const scene = exampleScene();
  scene.tellAll(
    group('attic', 'envelope'),
    category('box', 'attic'),
    { type: 'category.hidden', data: { categoryId: 'rent' } },
    { type: 'category-group.hidden', data: { groupId: 'attic' } },
  );
  const of = (query: object) =>
    scene.answers
      .categoryMonths('budget-1', { start_month: 'current', end_month: 'current', ...query })
      ?.months.map(({ month, categories }) => [month, ...categories.map(one => one.categoryId)]);
  const month = TODAY.slice(0, 7);
  t.deepEqual(of({}), [[month, 'food']]);
  t.deepEqual(of({ include_hidden: true }), [[month, 'box', 'food', 'rent']]);
  t.deepEqual(of({ category_id: 'box' }), [[month, 'box']]);
  t.deepEqual(of({ category_id: 'wage' }), [[month]]);
  t.is(of({ category_id: 'nowhere' }), undefined);
});

test('balances: the first point is a regular one or the end, the last one is the end', t => {
  const scene = createScene();
  scene.tellAll(
    account('home', true),
    account('house', false),
    account('dollars', true, { currency: 'USD' }),
  );
  scene.tellAll(
    row('a', { date: '2024-01-31', amount: '5.00' }),
    row('b', { date: '2024-02-10', accountId: 'house', amount: '100.00' }),
    row('c', {
      date: '2024-03-09',
      ...{ accountId: 'dollars', amount: '-1.10', amountNative: '-1.00', exchangeRate: 1.1 },
    }),
  );
  const dates = (start_date: string, end_date: string, interval: 'week' | 'month') =>
    scene.answers
      .balances('budget-1', { start_date, end_date, interval })
      ?.points.map(({ date }) => date);
  t.deepEqual(dates('2024-02-26', '2024-03-09', 'week'), ['2024-03-03', '2024-03-09']);
  t.deepEqual(dates('2024-03-03', '2024-03-10', 'week'), ['2024-03-03', '2024-03-10']);
  t.deepEqual(dates('2024-03-04', '2024-03-04', 'week'), ['2024-03-04']);
  t.deepEqual(dates('2024-02-26', '2024-03-09', 'month'), ['2024-02-29', '2024-03-09']);
  const range = { start_date: '2024-01-01', end_date: '2024-03-09', interval: 'month' } as const;
  t.deepEqual(scene.answers.balances('budget-1', range)?.points, [
    { date: '2024-01-31', total: '5.00', onBudget: '5.00' },
    { date: '2024-02-29', total: '105.00', onBudget: '5.00' },
    { date: '2024-03-09', total: '103.90', onBudget: '3.90' },
  ]);
  t.deepEqual(scene.answers.balances('budget-1', { ...range, account_id: 'dollars' })?.points[2], {
    date: '2024-03-09',
    balance: '-1.10',
    nativeBalance: '-1.00',
  });
  t.is(scene.answers.balances('budget-1', { ...range, account_id: 'food' }), null);
});

const SEEDS = Array.from({ length: 24 }, (_, index) => index + 301);
const SIZE = { events: 300, budgets: 2, spaces: 1, users: 2, wildNames: true };
const RANGE = { start_month: '2023-11', end_month: '2027-03' };

function* budgets(): Generator<{ answers: Answers; id: string; where: string }> {
  for (const seed of SEEDS) {
    const model = played(randomHistory({ ...SIZE, seed }));
    const answers = model.answers('user-1', { today: HISTORY_TODAY });
    for (const id of model.budgetIds()) {
      if (answers.position(id) !== null) yield { answers, id, where: `seed ${seed}, ${id}` };
    }
  }
}

test('rules/months.md#envelope-figures: envelopes add up to the months, and each month follows from the one before', t => {
  let [seen, shown] = [0, 0];
  for (const { answers, id, where } of budgets()) {
    const months = answers.months(id, RANGE)?.months ?? [];
    for (const one of months.slice(0, 3)) t.deepEqual(one, answers.month(id, one.month) ?? one);
    const query = { ...RANGE, include_hidden: true };
    const categoryMonths = answers.categoryMonths(id, query)?.months ?? [];
    const rows = answers.transactions(id)?.transactions ?? [];
    const accounts = answers.accounts(id)?.accounts ?? [];
    const onBudget = new Set(accounts.filter(one => one.onBudget).map(one => one.id));
    const broken = brokenEnvelopeLaws({ months, categoryMonths, rows, onBudget });
    t.deepEqual(broken, [], where);
    seen += categoryMonths.length;
    shown += sum(categoryMonths.map(({ categories }) => BigInt(categories.length))) > 0n ? 1 : 0;
  }
  t.true(seen > 500 && shown > 10, `${seen} months, ${shown} budgets with envelopes`);
});

test("rules/api.md#balances: points follow from rows, and today's is that of /accounts", t => {
  for (const { answers, id, where } of budgets()) {
    const rows = answers.transactions(id)?.transactions ?? [];
    const accounts = answers.accounts(id)?.accounts ?? [];
    const onBudget = new Set(accounts.filter(one => one.onBudget).map(one => one.id));
    const range = { start_date: '0001-01-01', end_date: '9999-12-31', interval: 'month' } as const;
    for (const query of [
      { ...range, start_date: '2024-02-03', end_date: HISTORY_TODAY },
      { ...range, start_date: '2025-02-03', end_date: '2025-05-05', interval: 'week' } as const,
      { ...range, start_date: '2025-05-20', end_date: '2025-07-05', interval: 'day' } as const,
    ]) {
      const points = answers.balances(id, query)?.points ?? [];
      const amounts = rows.map(({ date, amount, accountId }) => ({
        date,
        accountId,
        amount: hundredthsOf(amount),
      }));
      t.deepEqual(brokenBalanceLaws(points, 'total', amounts), [], where);
      const inBudget = amounts.filter(({ accountId }) => onBudget.has(accountId));
      t.deepEqual(brokenBalanceLaws(points, 'onBudget', inBudget), [], where);
    }
    const now = { start_date: HISTORY_TODAY, end_date: HISTORY_TODAY };
    const total = moneyText(sum(accounts.map(({ balance }) => hundredthsOf(balance))));
    const [point] = answers.balances(id, now)?.points ?? [];
    t.like(point, { date: HISTORY_TODAY, total }, where);
    for (const { id: accountId, balance, nativeBalance } of accounts) {
      const { points = [] } = answers.balances(id, { ...now, account_id: accountId }) ?? {};
      t.deepEqual(points, [{ date: HISTORY_TODAY, balance, nativeBalance }], where);
    }
  }
});
