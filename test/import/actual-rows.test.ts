// Rows as older versions of Actual left them, and rows whose account is missing.
import test from 'ava';
import { planActual } from '../../src/import/actual/plan-actual.ts';
import { actualFiles, FINANCES, type Rows } from './actual-files.ts';
import { imported } from './imported.ts';

async function planOf(transactions: Rows[string], rest: Rows = {}) {
  const { database, metadata } = await actualFiles({ ...FINANCES, ...rest, transactions });
  return planActual(database, metadata, '2026-04-01');
}

const ROW = { acct: 'acc-bank', amount: -500, date: 20260105, category: 'c-food' };
const LEG = { ...ROW, isChild: 1, parent_id: 'whole' };
const SPLIT = [
  { ...ROW, id: 'whole', isParent: 1, category: null, amount: -1500 },
  { ...LEG, id: 'whole/a', sort_order: 3 },
  { ...LEG, id: 'whole/b', sort_order: 2, description: 'p-cash', transferred_id: 'coins' },
  {
    ...ROW,
    id: 'coins',
    acct: 'acc-cash',
    amount: 500,
    category: null,
    description: 'p-bank',
    transferred_id: 'whole/b',
  },
];

test('legs that an older version called parent/leg are imported, under the same ids each time', async t => {
  const rows = (await imported(t, await planOf(SPLIT))).rows();
  t.deepEqual(
    rows.map(({ id, splitGroupId }) => [id, splitGroupId]),
    [
      ['whole:a', 'whole'],
      ['whole:b', 'whole'],
      ['coins', null],
    ],
  );
  t.is(rows[2]?.transferAccountId, 'acc-bank');
  const later = await planOf([...SPLIT, { ...ROW, id: 'later' }]);
  t.true(later.rows.some(({ id }) => id === 'whole:b'));
});

test('a file without parents beside such ids has the same rows, as Actual derives them', async t => {
  const older = await planOf(SPLIT.map(row => ({ ...row, parent_id: null })));
  t.deepEqual(older.rows, (await planOf(SPLIT)).rows);
});

test('such a leg takes no id that another row has', async t => {
  const taken = ['whole:a', 'whole:b:'].map(id => ({ ...ROW, id }));
  const twin = { ...LEG, id: 'whole/a/', sort_order: 1 };
  const { rows } = await planOf([...SPLIT.slice(0, 2), twin, ...taken]);
  t.deepEqual(rows.map(({ id }) => id).sort(), ['whole:a', 'whole:a:', 'whole:a::', 'whole:b:']);
});

test('rows whose account is missing are in no figure, and transfers with it are standard rows', async t => {
  const income = { acct: 'acc-bank', amount: 100_000, date: 20260101, category: 'c-pay' };
  const lost = { acct: 'acc-what', date: 20260105 };
  const plan = await planOf(
    [
      { ...income, id: 'pay' },
      { ...lost, id: 'lost-food', amount: -700, category: 'c-food' },
      { ...lost, id: 'lost-pay', amount: 900, category: 'c-pay' },
      { ...lost, id: 'lost-in', amount: 111, transferred_id: 'out', description: 'p-bank' },
      { ...ROW, id: 'out', amount: -111, transferred_id: 'lost-in', description: 'p-lost' },
    ],
    {
      payees: [...(FINANCES.payees ?? []), { id: 'p-lost', name: '', transfer_acct: 'acc-what' }],
      zero_budgets: [],
      zero_budget_months: [],
    },
  );
  t.deepEqual(plan.notes.slice(0, 2), [
    "3 rows of an account that the file lacks: left out, as in Actual's envelopes and balances",
    '1 transfer with an account that the file lacks: entered as standard rows',
  ]);
  const budget = await imported(t, plan);
  const rows = budget.rows();
  t.deepEqual(
    rows.map(({ id }) => id),
    ['out', 'pay'],
  );
  t.like(rows[0], { type: 'standard', transferAccountId: null, payeeId: null, amount: '-1.11' });
  t.like(budget.month('2026-01'), { readyToAssign: '1000.00', overspentTotal: '1.11' });
  t.is(budget.balances().Bank, '998.89');
});
