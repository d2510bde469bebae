// What YNAB lists among hidden categories: those of one name, and the payments of hidden cards; and a card's starting debt.
import test from 'ava';
import { planYnab } from '../../src/import/ynab/plan-ynab.ts';
import { readYnab } from '../../src/import/ynab/read-ynab.ts';
import { imported } from './imported.ts';
import { type PlanCells, planFile, type RegisterCells, registerFile } from './ynab-files.ts';

function planOf(rows: readonly RegisterCells[], lines: readonly PlanCells[]) {
  return planYnab(readYnab(registerFile(rows), planFile(lines), null), 'Home', null);
}

/** A row of the 15th of January, of a category written as `Group: Name`. */
function row(
  account: string,
  payee: string,
  [category, amounts]: readonly [string, string],
): RegisterCells {
  const [group = '', name = ''] = category.split(': ');
  const [outflow = '', inflow = ''] = amounts.split(' ');
  return [account, '', '01/15/2026', payee, group, name, '', outflow, inflow, 'Cleared'];
}

const START = row('Bank', 'Starting Balance', ['Inflow: Ready to Assign', '$0.00 $100.00']);
const HIDDEN = 'Hidden Categories';

for (const [what, spent] of [
  ['without rows', []],
  ['with rows of both', ['$10.00 $0.00', '$5.00 $0.00']],
] as const) {
  test(`hidden categories of one name are one here, ${what}`, async t => {
    const [first = '$0.00', second = '$0.00'] = spent.map(amounts => `-${amounts.split(' ')[0]}`);
    const plan = planOf(
      [START, ...spent.map(amounts => row('Bank', 'Shop', [`${HIDDEN}: Trip`, amounts]))],
      [
        ['Jan 2026', HIDDEN, 'Trip', '$50.00', first, '$0.00'],
        ['Jan 2026', HIDDEN, 'Trip', '$20.00', second, '$0.00'],
      ],
    );
    t.deepEqual(plan.differences, []);
    t.deepEqual(
      plan.assigned.map(({ amount }) => amount),
      [7000],
    );
    t.true(
      plan.notes.includes(
        'Several categories are called "Hidden Categories: Trip", which is one here with the sum of their amounts',
      ),
    );
    t.like((await imported(t, plan)).month('2026-01'), { readyToAssign: '30.00' });
  });
}

test('a card whose payment category is hidden is the same card', async t => {
  const rows = [
    row('Visa', 'Shop', ['Daily: Food', '$30.00 $0.00']),
    row('Visa', 'Starting Balance', ['', '$200.00 $0.00']),
    row('Visa', 'Transfer : Bank', ['', '$0.00 $40.00']),
    row('Bank', 'Transfer : Visa', ['', '$40.00 $0.00']),
    START,
  ];
  const figures = async (group: string) => {
    const plan = planOf(rows, [
      ['Jan 2026', 'Daily', 'Food', '$30.00', '-$30.00', '$0.00'],
      ['Jan 2026', group, 'Visa', '$25.00', '$30.00', '$55.00'],
    ]);
    t.deepEqual(plan.differences, []);
    const budget = await imported(t, plan);
    const accounts = budget.accounts().map(({ name, type, onBudget }) => [name, type, onBudget]);
    const categories = budget.rows().map(({ categoryId }) => categoryId);
    return { accounts, categories, months: ['2026-01', '2026-02'].map(budget.month) };
  };
  const hidden = await figures(HIDDEN);
  t.deepEqual(hidden, await figures('Credit Card Payments'));
  t.deepEqual(hidden.accounts[0], ['Visa', 'creditCard', true]);
});

test('a hidden category with rows is no payment category, though an account has its name', t => {
  const plan = planOf(
    [START, row('Bank', 'Shop', [`${HIDDEN}: Bank`, '$10.00 $0.00'])],
    [['Jan 2026', HIDDEN, 'Bank', '$10.00', '-$10.00', '$0.00']],
  );
  t.deepEqual(plan.differences, []);
  t.like(plan.accounts[0], { name: 'Bank', type: 'checking' });
});

for (const [what, category, amounts, isOfPayment] of [
  ['without a category', '', '$500.00 $0.00', true],
  ['as a debt in Ready to Assign', 'Inflow: Ready to Assign', '$500.00 $0.00', true],
  ['as a credit in Ready to Assign', 'Inflow: Ready to Assign', '$0.00 $500.00', false],
  ['as a debt in an envelope', 'Daily: Food', '$500.00 $0.00', false],
] as const) {
  test(`the starting balance of a card, ${what}`, t => {
    const plan = planOf(
      [row('Visa', 'Starting Balance', [category, amounts])],
      [['Jan 2026', 'Credit Card Payments', 'Visa', '$0.00', '$0.00', '$0.00']],
    );
    const payments = plan.groups.find(({ name }) => name === 'Credit Card Payments');
    t.is(plan.rows[0]?.categoryId === payments?.categories[0]?.id, isOfPayment);
  });
}
