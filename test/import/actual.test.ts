// An Actual Budget export becomes a budget whose answers are the figures that Actual shows.
import test from 'ava';
import { formatMoney } from '../../projections/money.ts';
import { planActual } from '../../src/import/actual/plan-actual.ts';
import { UserError } from '../../src/process/errors.ts';
import { actualFiles, FINANCES, type Rows } from './actual-files.ts';
import { imported } from './imported.ts';

async function planOf(rows: Rows, metadata?: object) {
  const files = await actualFiles(rows, metadata);
  return planActual(files.database, files.metadata, '2026-04-01');
}

test('balances are those of Actual, and the file contains name and currency', async t => {
  const plan = await planOf(FINANCES);
  t.like(plan, { name: 'My Finances', currency: 'CHF' });
  const budget = await imported(t, plan);
  const { balances } = await actualFiles(FINANCES);
  for (const { id, balance } of budget.accounts()) {
    t.is(balance, formatMoney(balances[id] ?? 0), id);
  }
});

test('months are those of Actual: held manually and automatically, carried over, uncategorized', async t => {
  const budget = await imported(t, await planOf(FINANCES));
  // 2000 income - 800 assigned - 200 held; Food 300 - 345 is short.
  t.like(budget.month('2026-01'), {
    readyToAssign: '1000.00',
    assigned: '800.00',
    overspentTotal: '45.00',
    overspentCount: 1,
    heldForNextMonth: '200.00',
  });
  // 1000 + 200 + 1000 - 45 - 300; the category of the income holds it for the next month.
  t.like(budget.month('2026-02'), {
    readyToAssign: '855.00',
    heldForNextMonth: '1000.00',
    assigned: '300.00',
    overspentTotal: '25.00',
    uncategorizedCount: 1,
  });
  t.like(budget.month('2026-03'), { readyToAssign: '1830.00', heldForNextMonth: '0.00' });
});

test('a carry-over lasts in the months that Actual has it for, and after the last of them', async t => {
  const { carryOvers } = await planOf(FINANCES);
  t.deepEqual(
    carryOvers.map(({ categoryId, month, carriesOver }) => [categoryId, month, carriesOver]),
    [
      ['c-food', '2026-02', true],
      ['c-food', '2026-04', false],
      ['c-food', '2026-05', true],
    ],
  );
});

test('accounts, groups and categories keep their order', async t => {
  const budget = await imported(t, await planOf(FINANCES));
  t.deepEqual(
    budget.accounts().map(({ name, type, onBudget, closed }) => [name, type, onBudget, closed]),
    [
      ['Cash', 'checking', true, false],
      ['Bank', 'checking', true, false],
      ['Loan', 'otherLiability', false, false],
      ['Old', 'checking', true, true],
      ['Gone', 'checking', true, true],
    ],
  );
  t.deepEqual(
    budget
      .groups()
      .map(({ name, budgetMode, hidden, categories }) => [
        name,
        budgetMode,
        hidden,
        categories.map(category => [category.name, category.hidden, category.note]),
      ]),
    [
      [
        'Daily',
        'envelope',
        false,
        [
          ['Food', false, 'Groceries, not restaurants'],
          ['Rent', false, null],
        ],
      ],
      ['Past', 'envelope', true, [['Bike', true, null]]],
      [
        'Income',
        'income',
        false,
        [
          ['Pay', false, null],
          ['Starting Balances', false, null],
        ],
      ],
    ],
  );
  t.deepEqual(budget.payees(), ['Market', 'Nobody']);
});

test('income comes last, and equal positions are decided as in the lists of Actual', async t => {
  const plan = await planOf({
    accounts: [
      { id: 'a', name: 'Savings' },
      { id: 'b', name: 'Bank' },
    ],
    category_groups: [
      { id: 'g-income', name: 'Income', is_income: 1, sort_order: 1 },
      { id: 'g-b', name: 'Bills', sort_order: 2 },
      { id: 'g-a', name: 'Daily', sort_order: 2 },
    ],
    categories: [
      { id: 'c-b', name: 'Books', cat_group: 'g-a', sort_order: 3 },
      { id: 'c-a', name: 'Food', cat_group: 'g-a', sort_order: 3 },
    ],
  });
  t.deepEqual(
    plan.accounts.map(({ id }) => id),
    ['b', 'a'],
  );
  t.deepEqual(
    plan.groups.map(({ id }) => id),
    ['g-a', 'g-b', 'g-income'],
  );
  t.deepEqual(
    plan.groups[0]?.categories.map(({ id }) => id),
    ['c-a', 'c-b'],
  );
});

test('splits, transfers, merged payees and categories, tags and kinds of rows are imported', async t => {
  const budget = await imported(t, await planOf(FINANCES));
  const rows = new Map(budget.rows().map(row => [row.id, row]));
  t.deepEqual([...rows.keys()], 't12 t9 t6 t7 t11 t4a t4b t5 t3 t8 t2 t1'.split(' '));
  t.like(rows.get('t4a'), {
    payeeName: 'Market',
    categoryName: 'Food',
    memo: 'big #shopping',
    splitGroupId: 't4',
    cleared: false,
  });
  t.deepEqual(
    rows.get('t4a')?.labels.map(({ name }) => name),
    ['shopping'],
  );
  t.like(rows.get('t4b'), {
    type: 'transfer',
    transferAccountId: 'acc-cash',
    memo: 'coins',
    payeeId: null,
  });
  t.like(rows.get('t5'), { type: 'transfer', transferAccountId: 'acc-bank', splitGroupId: null });
  t.like(rows.get('t6'), { type: 'transfer', transferAccountId: 'acc-loan', categoryId: 'c-rent' });
  t.like(rows.get('t9'), { categoryId: null, type: 'standard' });
  t.like(rows.get('t1'), { type: 'startingBalance', cleared: true, reconciled: false });
  t.like(rows.get('t2'), { type: 'standard', reconciled: true });
  t.like(rows.get('t12'), { type: 'reconciliation', accountId: 'acc-gone' });
});

test('a leg whose payee is deleted takes the payee of the whole, as a leg without one does', async t => {
  const leg = { acct: 'acc-bank', amount: -500, date: 20260105, isChild: 1, parent_id: 'whole' };
  const whole = { ...leg, id: 'whole', isChild: 0, isParent: 1, description: 'p-market' };
  const plan = await planOf({
    ...FINANCES,
    payees: [...(FINANCES.payees ?? []), { id: 'p-deleted', name: 'Deleted', tombstone: 1 }],
    transactions: [
      { ...whole, parent_id: null },
      { ...leg, id: 'bare', description: null },
      { ...leg, id: 'deleted', description: 'p-deleted' },
      { ...leg, id: 'own', description: 'p-nobody' },
    ],
  });
  const payees = plan.rows.map(({ id, payeeId }) => [id, payeeId]);
  t.deepEqual(Object.fromEntries(payees), {
    bare: 'p-market',
    deleted: 'p-market',
    own: 'p-nobody',
  });
});

test('the notes count everything without a counterpart', async t => {
  const { notes } = await planOf(FINANCES);
  t.deepEqual(notes.slice(0, 1), ['1 row of deleted categories: entered without category']);
  for (const word of ['schedule', 'rule', 'goal', 'note on an account, a group or a month']) {
    t.true(notes.includes(`1 ${word} without a counterpart here: left out`), word);
  }
});

test('a negative amount held for next month is left out and counted', async t => {
  const held = [{ id: '2026-01', buffered: -5 }];
  const plan = await planOf({ ...FINANCES, zero_budget_months: held });
  t.true(plan.notes.includes('1 month with a negative amount held: left out'));
  t.is((await imported(t, plan)).month('2026-01').heldForNextMonth, '0.00');
});

test('a currency that is switched off is none, and one without decimals gets a note', async t => {
  const code = { id: 'defaultCurrencyCode', value: 'JPY' };
  const planIn = (isOn: boolean) =>
    planOf({ ...FINANCES, preferences: [code, { id: 'flags.currency', value: String(isOn) }] });
  const [on, off] = [await planIn(true), await planIn(false)];
  t.deepEqual([on.currency, off.currency], ['JPY', null]);
  t.regex(on.notes.join('\n'), /^Amounts in JPY are read as hundredths/);
  t.notRegex(off.notes.join('\n'), /hundredths/);
});

test('a tracking budget has no envelopes', async t => {
  const rows = {
    ...FINANCES,
    reflect_budgets: [{ id: 'x', month: 202601, category: 'c-food', amount: 5 }],
    preferences: [{ id: 'budgetType', value: 'tracking' }],
  };
  const plan = await planOf(rows);
  t.is(plan.currency, null);
  t.true(plan.notes.includes('1 budgeted amount of a tracking budget: left out'));
  const budget = await imported(t, plan);
  t.deepEqual(
    budget.groups().map(group => group.budgetMode),
    ['unfunded', 'unfunded', 'income'],
  );
  t.like(budget.month('2026-01'), {
    assigned: '0.00',
    readyToAssign: '1155.00',
    heldForNextMonth: '0.00',
  });
  const older = await planOf({ ...FINANCES, preferences: [] }, { budgetType: 'report' });
  t.is(older.groups[0]?.mode, 'unfunded');
  t.is(older.name, null);
});

test('every problem is reported with its table and id', async t => {
  const rows: Rows = {
    ...FINANCES,
    transactions: [
      { id: 'a', acct: 'acc-bank', amount: 1.5, date: 20260101 },
      { id: 'b', acct: 'acc-bank', amount: 1, date: 20260231 },
    ],
    zero_budgets: [{ id: 'd', month: 202613, category: 'c-food', amount: 1 }],
  };
  const error = await t.throwsAsync(planOf(rows), { instanceOf: UserError });
  t.deepEqual(error.message.split('\n').sort(), [
    'Nothing was imported',
    'db.sqlite transactions a: Expected amount to be an integer, got 1.5',
    'db.sqlite transactions b: Expected a date like 20260131, got 20260231',
    'db.sqlite zero_budgets d: Expected a month like 202601, got "202613"',
  ]);
});

test('money beyond the guard (rules/events.md#the-money-guard) is refused at the row that exceeds it', async t => {
  const amount = 2 ** 50;
  const rows = ['a', 'b', 'c'].map(id => ({ id, acct: 'acc-bank', amount, date: 20260101 }));
  await t.throwsAsync(planOf({ ...FINANCES, transactions: rows, zero_budgets: [] }), {
    instanceOf: UserError,
    message:
      /^db.sqlite transactions \w: Expected absolute amounts that add up to at most 22517998136852.48/,
  });
});

test('a file that is not a database of Actual is refused', async t => {
  const { metadata } = await actualFiles({});
  const refused = (bytes: Buffer, message: RegExp) =>
    t.throwsAsync(planActual({ name: 'db.sqlite', bytes }, metadata, '2026-04-01'), {
      instanceOf: UserError,
      message,
    });
  await refused(
    Buffer.from('no database at all'),
    /^db.sqlite: Expected a database of Actual Budget, got a file that is none/,
  );
  await refused(
    Buffer.alloc(0),
    /^db.sqlite: Expected a database of Actual Budget, got none of its tables accounts, /,
  );
});
