// A YNAB export becomes a budget whose answers are the export's own figures.
import test from 'ava';
import { planYnab } from '../../src/import/ynab/plan-ynab.ts';
import { readYnab } from '../../src/import/ynab/read-ynab.ts';
import { UserError } from '../../src/process/errors.ts';
import { imported } from './imported.ts';
import {
  edited,
  GOOD,
  PLAN_LINES,
  type PlanCells,
  planFile,
  REGISTER_ROWS,
  type RegisterCells,
  registerFile,
} from './ynab-files.ts';

function planOf(
  rows: readonly RegisterCells[],
  lines: readonly PlanCells[] = [],
  offBudget: readonly string[] | null = null,
) {
  return planYnab(readYnab(registerFile(rows), planFile(lines), null), 'Home', offBudget);
}

test('balances, months and rows are those of the export', async t => {
  const plan = planOf(REGISTER_ROWS, PLAN_LINES);
  const budget = await imported(t, plan);
  t.deepEqual(budget.balances(), { House: '150540.00', Checking: '2285.00', Savings: '250.00' });
  // YNAB shows 2000 - 820, then 1000 - 100 - 45 overspent on top of it.
  t.like(budget.month('2026-01'), {
    readyToAssign: '1180.00',
    assigned: '820.00',
    overspentTotal: '45.00',
    uncategorizedCount: 0,
  });
  t.like(budget.month('2026-02'), {
    readyToAssign: '2035.00',
    assigned: '100.00',
    overspentTotal: '0.00',
    // Ready to assign plus the sum of the plan's Available column.
    cashBalance: '2535.00',
  });
  t.is(plan.notes.at(-1), 'The Activity of all 6 lines of the plan is what the rows add up to');
  t.true(plan.notes.some(note => note.startsWith('Accounts off budget: "House"; ')));
});

test('accounts, groups, payees and flags are those of the export', async t => {
  const budget = await imported(t, planOf(REGISTER_ROWS, PLAN_LINES));
  t.deepEqual(
    budget.accounts().map(({ name, type, onBudget }) => [name, type, onBudget]),
    [
      ['House', 'otherAsset', false],
      ['Checking', 'checking', true],
      ['Savings', 'checking', true],
    ],
  );
  t.deepEqual(
    budget
      .groups()
      .map(({ name, budgetMode, hidden, categories }) => [
        name,
        budgetMode,
        hidden,
        categories.map(category => category.name),
      ]),
    [
      ['Daily', 'envelope', false, ['Food']],
      ['Bills', 'envelope', false, ['Mortgage']],
      ['Hidden Categories', 'envelope', true, ['Bike']],
      ['Inflow', 'income', false, ['Ready to Assign']],
    ],
  );
  t.deepEqual(budget.payees(), [
    'Bike shop',
    'Employer',
    'Market "Hall"',
    'Reconciliation Balance Adjustment',
    'Starting Balance',
  ]);
  t.deepEqual(budget.labels(), ['Red']);
});

test('splits, transfers and kinds of rows keep the order of the register, newest first', async t => {
  const budget = await imported(t, planOf(REGISTER_ROWS, PLAN_LINES));
  const rows = budget.rows();
  t.deepEqual(
    rows.map(row => [row.date, row.amount, row.type]),
    [
      ['2026-02-20', '500.00', 'reconciliation'],
      ['2026-02-18', '-60.00', 'standard'],
      ['2026-02-18', '-40.00', 'transfer'],
      ['2026-02-18', '40.00', 'transfer'],
      ['2026-02-01', '1000.00', 'standard'],
      ['2026-01-25', '250.00', 'transfer'],
      ['2026-01-25', '-250.00', 'transfer'],
      ['2026-01-17', '-345.00', 'standard'],
      ['2026-01-15', '-20.00', 'standard'],
      ['2026-01-01', '150000.00', 'startingBalance'],
      ['2026-01-01', '2000.00', 'startingBalance'],
    ],
  );
  const [, first, second, other] = rows;
  t.like(first, { memo: 'bread, cheese', cleared: false, splitGroupId: second?.splitGroupId });
  t.truthy(first?.splitGroupId);
  t.deepEqual(
    first?.labels.map(({ name }) => name),
    ['Red'],
  );
  t.like(second, { memo: '', payeeId: null, transferAccountId: other?.accountId });
  t.like(other, { transferAccountId: second?.accountId, categoryId: null, splitGroupId: null });
  t.like(rows[7], { cleared: true, reconciled: true });
  t.like(rows[4], { cleared: true, reconciled: false });
});

test('a credit card is on budget, and its debt waits for the money assigned to its payment', async t => {
  const rows: RegisterCells[] = [
    ['Card', '', '15/01/2026', 'Shop', 'Daily', 'Food', '', '€30,00', '€0,00', 'Cleared'],
    ['Card', '', '13/01/2026', 'Starting Balance', '', '', '', '€1.200,00', '€0,00', 'Cleared'],
    [
      'Bank',
      '',
      '13/01/2026',
      'Starting Balance',
      'Inflow',
      'Ready to Assign',
      '',
      '€0,00',
      '€900,00',
      'Cleared',
    ],
  ];
  const lines: PlanCells[] = [
    ['Jan 2026', 'Credit Card Payments', 'Card', '€200,00', '€30,00', '€230,00'],
    ['Jan 2026', 'Daily', 'Food', '€30,00', '-€30,00', '€0,00'],
  ];
  const budget = await imported(t, planOf(rows, lines));
  t.deepEqual(
    budget.accounts().map(({ type, onBudget }) => [type, onBudget]),
    [
      ['creditCard', true],
      ['checking', true],
    ],
  );
  const ready = { readyToAssign: '670.00', overspentTotal: '0.00', uncategorizedCount: 0 };
  t.like(budget.month('2026-01'), ready);
  t.like(budget.month('2026-02'), ready);
});

test('--off-budget names all accounts that are off budget', t => {
  const { accounts, notes } = planOf(REGISTER_ROWS, PLAN_LINES, ['Savings']);
  t.deepEqual(
    accounts.map(({ name, onBudget }) => [name, onBudget]),
    [
      ['House', true],
      ['Checking', true],
      ['Savings', false],
    ],
  );
  t.true(notes.includes('Accounts off budget: "Savings"'));
  t.throws(() => planOf(REGISTER_ROWS, PLAN_LINES, ['savings']), {
    instanceOf: UserError,
    message: /^--off-budget: Expected the name of an account in the register, got "savings"/,
  });
});

test('rows without an exact counterpart become similar ones, and the notes count them', async t => {
  const row = (payee: string, category: string, memo: string): RegisterCells => [
    'Bank',
    '',
    '2026/01/31',
    payee,
    category && 'Daily',
    category,
    memo,
    '5',
    '0',
    'Cleared',
  ];
  const plan = planOf(
    [
      row('Transfer : Bank', '', ''),
      row('Transfer : Cash', 'Food', ''),
      row('x', 'Food', 'Split (2/3) y'),
      ['Cash', '', '2026/01/31', 'z', 'Daily', 'Food', '', '1,000', '0', 'Cleared'],
    ],
    [['Jan 2026', 'Daily', 'Food', '0', '-7', '-7']],
  );
  const budget = await imported(t, plan);
  t.deepEqual(
    budget.rows().map(({ type, memo }) => [type, memo]),
    [
      ['standard', ''],
      ['standard', 'Split (2/3) y'],
      ['standard', ''],
      ['standard', ''],
    ],
  );
  t.is(budget.balances().Cash, '-1000.00');
  const allNotes = plan.notes.join('\n');
  t.regex(allNotes, /1 row is marked as legs of splits whose others are missing: entered alone/);
  t.regex(allNotes, /1 transfer of an account to itself: entered as standard rows/);
  t.regex(allNotes, /1 leg of a transfer between on-budget accounts with a category/);
  t.regex(
    plan.differences.join('\n'),
    /Activity of 1 of 1 line of the plan .* first is .*Plan.csv line 2, -7.00 instead of -1010.00/,
  );
});

test('the same files give the same events', async t => {
  const once = await imported(t, planOf(REGISTER_ROWS, PLAN_LINES));
  const again = await imported(t, planOf(REGISTER_ROWS, PLAN_LINES));
  t.deepEqual(once.events, again.events);
});

const R = 'Home as of 2026-03-31 09-15 - Register.csv';
const P = 'Home as of 2026-03-31 09-15 - Plan.csv';

test('every problem is reported with its line, what was expected and what the file contains', t => {
  const rows = [
    GOOD,
    edited(2, '02/31/2026'),
    edited(7, '$5,00'),
    edited(8, 'five'),
    edited(2, ''),
  ];
  const lines: PlanCells[] = [['1/2026', 'Daily', 'Food', '$1.00', '$0.0', '$0.00']];
  const amount =
    'Expected an amount with at most 13 digits before "." and 2 after it, as the rest of the export has';
  const { message } = t.throws(() => planOf(rows, lines), { instanceOf: UserError }) ?? {};
  t.deepEqual(message?.split('\n'), [
    `${R} line 3: Expected a date like DD/MM/YYYY, got "02/31/2026"`,
    `${R} line 4: ${amount}, got "$5,00"`,
    `${R} line 5: ${amount}, got "five"`,
    `${R} line 6: Expected a date like DD/MM/YYYY, got ""`,
    `${P} line 2: Expected a month like Jan 2026, got "1/2026"`,
    `${P} line 2: ${amount}, got "$0.0"`,
    'Nothing was imported',
  ]);
  const cleared = t.throws(() => planOf([edited(9, 'Yes')]), { instanceOf: UserError });
  t.regex(
    cleared?.message ?? '',
    /line 2: Expected Cleared to be Uncleared, Cleared, Reconciled, got "Yes"/,
  );
});
