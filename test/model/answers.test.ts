// Order, filters, pages and figures of the answers, with expected values by hand.
import test from 'ava';
import type { Draft } from '../histories/row-actions.ts';
import type { TransactionFilters } from './answers.ts';
import { account, category, createScene, furnish, group, row, timeOf, transfer } from './scene.ts';

function ids(list: readonly { id: string }[] | undefined): string[] | undefined {
  return list?.map(({ id }) => id);
}

test("an account's balance stops at today, its counts and its last date do not", t => {
  const scene = createScene();
  scene.tellAll(
    account('dollars', true, { currency: 'USD' }),
    row('a', {
      accountId: 'dollars',
      amount: '-1.10',
      amountNative: '-1.00',
      exchangeRate: 1.1,
      cleared: true,
    }),
    row('b', { accountId: 'dollars', amount: '5.00', amountNative: '4.00', exchangeRate: 1.25 }),
    row('c', {
      accountId: 'dollars',
      amount: '9.99',
      amountNative: '9.99',
      exchangeRate: 1,
      date: '2024-03-02',
    }),
  );
  t.deepEqual(scene.answers.accounts('budget-1'), {
    accounts: [
      {
        id: 'dollars',
        name: 'dollars',
        type: 'checking',
        currency: 'USD',
        onBudget: true,
        closed: false,
        balance: '3.90',
        clearedBalance: '-1.10',
        unclearedBalance: '5.00',
        nativeBalance: '3.00',
        transactionCount: 3,
        lastTransactionDate: '2024-03-02',
        createdAt: timeOf(2),
      },
    ],
  });
});

test('a transaction contains the names of everything that it refers to', t => {
  const scene = furnish(createScene());
  t.deepEqual(scene.answers.transactions('budget-1'), {
    transactions: [
      {
        id: 'row-1',
        date: '2024-03-01',
        accountId: 'home',
        accountName: 'home',
        payeeId: 'shop',
        payeeName: 'shop',
        categoryId: 'food',
        categoryName: 'food',
        memo: '',
        amount: '-1.00',
        amountNative: null,
        exchangeRate: null,
        currency: null,
        type: 'standard',
        cleared: false,
        reconciled: false,
        transferAccountId: null,
        splitGroupId: null,
        labels: [
          { id: 'blue', name: 'blue' },
          { id: 'red', name: 'red' },
        ],
        createdAt: timeOf(18),
      },
    ],
    pagination: { limit: 1000, offset: 0, has_more: false },
  });
});

const accountAt = (accountId: string, name: string, position?: number): Draft => ({
  type: 'account.opened',
  data: {
    accountId,
    name,
    type: 'cash',
    onBudget: true,
    currency: null,
    ...(position === undefined ? {} : { position }),
  },
});

test('the order is position, with null last, then name key by code point, then id', t => {
  const scene = createScene();
  scene.tellAll(
    accountAt('no-place', 'A'),
    accountAt('third', 'b', 2),
    accountAt('second', 'B', 2),
    accountAt('first', 'z', -1),
    accountAt('plain-b', 'b'),
    accountAt('astral', '\u{10428}'),
    accountAt('half-width', '\uffee'),
  );
  t.deepEqual(ids(scene.answers.accounts('budget-1')?.accounts), [
    'first',
    'second',
    'third',
    'no-place',
    'plain-b',
    'half-width',
    'astral',
  ]);
});

test('transactions are in pages, newest date first, and within a date the last entered first', t => {
  const scene = furnish(createScene());
  scene.tellAll(row('old', { date: '2023-01-01' }), row('x'), row('new', { date: '2025-01-01' }));
  const page = (limit: number, offset: number) =>
    scene.answers.transactions('budget-1', { limit, offset });
  t.deepEqual(ids(page(3, 0)?.transactions), ['new', 'x', 'row-1']);
  t.deepEqual(page(3, 0)?.pagination, { limit: 3, offset: 0, has_more: true });
  t.deepEqual(ids(page(3, 3)?.transactions), ['old']);
  t.deepEqual(page(3, 3)?.pagination, { limit: 3, offset: 3, has_more: false });
  t.deepEqual(page(4, 0)?.pagination, { limit: 4, offset: 0, has_more: true });
  t.deepEqual(ids(page(3, 9)?.transactions), []);
});

const FILTERS: readonly (readonly [TransactionFilters, string[]])[] = [
  [{ account_id: 'house' }, ['to-home', 'off']],
  [{ category_id: 'food' }, ['to-house', 'row-1']],
  [{ start_date: '2024-03-02' }, ['later']],
  [{ end_date: '2024-02-29' }, ['early']],
  [{ start_date: '2024-02-29', end_date: '2024-02-29' }, ['early']],
  [{ uncategorized: true }, ['later', 'early']],
  [{ uncategorized: false }, ['to-home', 'to-house', 'inner', 'off', 'row-1']],
  [{ uncleared: false }, ['early']],
  [{ uncleared: true, category_id: 'food' }, ['to-house', 'row-1']],
  [{ search: 'SHO' }, ['row-1']],
  [{ search: 'foo' }, ['to-house', 'row-1']],
  [{ search: 'STRAßE' }, ['early']],
  [{ search: 'strasse' }, []],
  [{ search: 'CAFÉ' }, ['later']],
  [{ search: 'cafe' }, []],
  [{ search: '.' }, []],
  [{ search: '\u{10400}' }, ['later']],
  [{ search: 'shopfood' }, []],
  [{ payee_id: 'shop' }, ['row-1']],
  [{ payee_id: 'mall' }, []],
  [{ label_id: 'blue' }, ['row-1', 'early']],
  [{ label_id: 'red', payee_id: 'shop' }, ['row-1']],
  [{ type: 'transfer' }, ['to-home', 'to-house', 'inner']],
  [{ type: 'standard', end_date: '2024-02-29' }, ['early']],
  [{ type: 'reconciliation' }, []],
  [{ min_amount: '-0.99' }, ['early']],
  [{ max_amount: '-2.00' }, ['later']],
  [{ min_amount: '-2.00', max_amount: '-2.00' }, ['later']],
  [{ min_amount: '-1.99', max_amount: '-0.99', category_id: 'food' }, ['to-house', 'row-1']],
];

for (const [filters, expected] of FILTERS) {
  test(`the filter selects its rows: ${JSON.stringify(filters)}`, t => {
    const scene = furnish(createScene());
    scene.tellAll(
      row('early', {
        date: '2024-02-29',
        cleared: true,
        memo: 'straße',
        amount: '1.00',
        labelIds: ['blue'],
      }),
      row('later', { date: '2024-03-02', memo: 'cafe\u0301 \u{10428}', amount: '-2.00' }),
      row('off', { accountId: 'house' }),
      transfer('inner', ['home', 'cash']),
      transfer('to-house', ['home', 'house'], { categoryId: 'food' }),
      transfer('to-home', ['house', 'home']),
    );
    t.deepEqual(ids(scene.answers.transactions('budget-1', filters)?.transactions), expected);
  });
}

test('an unknown account, category, payee or label of the budget is 404', t => {
  const scene = furnish(createScene());
  t.is(scene.answers.transactions('budget-1', { account_id: 'food' }), null);
  t.is(scene.answers.transactions('budget-1', { category_id: 'home' }), null);
  t.is(scene.answers.transactions('budget-1', { payee_id: 'red' }), null);
  t.is(scene.answers.transactions('budget-1', { label_id: 'shop' }), null);
});

test('categories include hidden ones only on request, keep empty groups, and limit the number of groups', t => {
  const scene = createScene();
  scene.tellAll(
    group('a', 'envelope'),
    group('b', 'income'),
    group('c', 'unfunded'),
    category('a1', 'a'),
    category('a2', 'a'),
    category('b1', 'b'),
    category('c1', 'c'),
    { type: 'category.hidden', data: { categoryId: 'a1' } },
    { type: 'category-group.hidden', data: { groupId: 'b' } },
    { type: 'category.hidden', data: { categoryId: 'c1' } },
    { type: 'category.noted', data: { categoryId: 'a2', note: 'hm' } },
  );
  t.deepEqual(scene.answers.categories('budget-1'), {
    categoryGroups: [
      {
        id: 'a',
        name: 'a',
        hidden: false,
        budgetMode: 'envelope',
        categories: [{ id: 'a2', groupId: 'a', name: 'a2', hidden: false, note: 'hm' }],
      },
      { id: 'c', name: 'c', hidden: false, budgetMode: 'unfunded', categories: [] },
    ],
    pagination: { limit: 500, offset: 0, has_more: false },
  });
  const all = scene.answers.categories('budget-1', { include_hidden: true, limit: 1, offset: 1 });
  t.deepEqual(all, {
    categoryGroups: [
      {
        id: 'b',
        name: 'b',
        hidden: true,
        budgetMode: 'income',
        categories: [{ id: 'b1', groupId: 'b', name: 'b1', hidden: false, note: null }],
      },
    ],
    pagination: { limit: 1, offset: 1, has_more: true },
  });
});

test("budgets are those of the user's spaces, restricted by the token", t => {
  const scene = createScene();
  const create = (subject: string, spaceId: string, name: string) =>
    scene.model.deliver(
      scene.eventOf(subject, { type: 'budget.created', data: { spaceId, name, currency: 'USD' } }),
    );
  create('budget-2', 'space-1', 'Ärger');
  create('budget-3', 'space-2', 'Theirs');
  t.deepEqual(ids(scene.answers.budgets().budgets), ['budget-1', 'budget-2']);
  t.deepEqual(scene.answers.budgets({ budgets: ['budget-2', 'budget-3'] }), {
    budgets: [
      {
        id: 'budget-2',
        spaceId: 'space-1',
        spaceName: 'Home',
        name: 'Ärger',
        currency: 'USD',
        createdAt: timeOf(1),
        archivedAt: null,
      },
    ],
  });
  const stranger = scene.model.answers('user-2', { today: '2024-01-01' });
  t.deepEqual(stranger.budgets(), { budgets: [] });
  t.is(stranger.month('budget-1', '2024-01'), null);
});
