// GET /transactions
import type { Row } from '../../projections/documents.ts';
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import { test } from '../helpers/file-test.ts';
import {
  account,
  budget,
  category,
  group,
  label,
  payee,
  row,
  space,
  steps,
} from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { expectSame404 } from './same-404.ts';
import { useServed } from './use-served.ts';

let token: string;

const CREATED_AT = '2024-01-02T03:04:05.678Z';
const POSITION = 42;
/** The events of budget b1. The rows of one date are not in the order of their ids. */
const EVENTS = [
  budget('s1'),
  account('a1'),
  account('a2', true, { name: 'Dollars', currency: 'USD' }),
  account('a3', false),
  account('a4'),
  group('g1'),
  category('c1', 'g1', { name: 'Food' }),
  category('c2', 'g1'),
  payee('p1', 'Café ÉTÉ'),
  label('l1', 'b'),
  label('l2', 'a'),
  {
    ...entered('t5', '2024-02-29', { accountId: 'a2', amountNative: '-1.10', exchangeRate: 1.1 }),
    time: CREATED_AT,
  },
  entered('t6', '2024-02-10', { accountId: 'a3' }),
  entered('t7', '2024-02-11', {
    accountId: 'a2',
    amountNative: '0.00',
    exchangeRate: 1e-7,
    transferAccountId: 'a1',
    type: 'transfer',
    amount: '0.00',
    cleared: false,
  }),
  entered('t1', '2024-01-31', { memo: 'Bread', categoryId: 'c1' }),
  entered('t2', '2024-02-01', { payeeId: 'p1' }),
  entered('t4', '2024-02-01', { memo: 'straße' }),
  entered('t8', '0001-01-01', {
    memo: 'first \u0000\u2028 "quoted"',
    labelIds: ['l1', 'l2'],
    splitGroupId: 'split',
  }),
  entered('t3', '2024-02-01', { memo: '50% off_(a.b)*[x]', cleared: false }),
];

function entered(id: string, date: string, fields: Partial<TransactionEntered>) {
  return row(id, { accountId: 'a1', cleared: true, date, ...fields });
}

const served = useServed(test, { name: 'http_transactions' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('b1', ...EVENTS, ...steps(POSITION - EVENTS.length));
  await project('b2', budget('s1'), account('elsewhere'));
});

const list = (query: string) => served.api(`/transactions?budget_id=b1${query}`, { token });
const idsOf = async (query: string): Promise<string[]> => {
  const { status, body } = await list(query);
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  return body.transactions.map(({ id }: Row) => id);
};

test('Transactions are ordered newest first, within a date the last entered first', async t => {
  const { status, headers, body } = await served.api('/transactions?budget_id=b1', {
    token,
    headers: { 'accept-encoding': 'identity' },
  });
  t.is(status, 200);
  t.is(holdsTo('transactions', body), null);
  t.deepEqual(await idsOf(''), ['t5', 't7', 't6', 't3', 't4', 't2', 't1', 't8']);
  t.deepEqual(body.pagination, { limit: 1000, offset: 0, has_more: false });
  t.is(headers.get('x-projection-position'), String(POSITION));
  t.is(headers.get('content-length'), String(Buffer.byteLength(JSON.stringify(body))));
});

test('Transaction: every field, as entered', async t => {
  const { body, text } = await list('');
  const byId = (id: string) => body.transactions.find((row: Row) => row.id === id);
  t.deepEqual(byId('t5'), {
    id: 't5',
    date: '2024-02-29',
    accountId: 'a2',
    accountName: 'Dollars',
    payeeId: null,
    payeeName: null,
    categoryId: null,
    categoryName: null,
    memo: '',
    amount: '-1.00',
    amountNative: '-1.10',
    exchangeRate: 1.1,
    currency: 'USD',
    type: 'standard',
    cleared: true,
    reconciled: false,
    transferAccountId: null,
    splitGroupId: null,
    labels: [],
    createdAt: CREATED_AT,
  });
  t.is(byId('t8').memo, 'first \u0000\u2028 "quoted"');
  t.deepEqual(byId('t8').labels, [
    { id: 'l2', name: 'a' },
    { id: 'l1', name: 'b' },
  ]);
  t.is(byId('t7').amount, '0.00');
  t.true(text.includes('"exchangeRate":1e-7'));
});

const filters: [title: string, query: string, expected: string[]][] = [
  ['account_id', '&account_id=a2', ['t5', 't7']],
  ['account_id of an account without rows', '&account_id=a4', []],
  ['category_id', '&category_id=c1', ['t1']],
  ['category_id of a category without rows', '&category_id=c2', []],
  ['account_id and category_id', '&account_id=a1&category_id=c1', ['t1']],
  ['start_date, inclusive', '&start_date=2024-02-11', ['t5', 't7']],
  ['end_date, inclusive', '&end_date=2024-01-31', ['t1', 't8']],
  [
    'start_date and end_date, one day',
    '&start_date=2024-02-01&end_date=2024-02-01',
    ['t3', 't4', 't2'],
  ],
  ['dates at the ends of the calendar', '&start_date=0001-01-01&end_date=0001-01-01', ['t8']],
  ['dates and account', '&account_id=a2&end_date=2024-02-28', ['t7']],
  [
    'uncategorized=true: on budget, no category, no transfer between on-budget accounts',
    '&uncategorized=true',
    ['t5', 't3', 't4', 't2', 't8'],
  ],
  [
    'uncategorized=false: everything else, so transfers and off-budget rows too',
    '&uncategorized=false',
    ['t7', 't6', 't1'],
  ],
  ['uncleared=true', '&uncleared=true', ['t7', 't3']],
  ['uncleared=false', '&uncleared=false', ['t5', 't6', 't4', 't2', 't1', 't8']],
  ['uncleared and uncategorized', '&uncleared=true&uncategorized=true', ['t3']],
  ['uncleared, account and dates', '&uncleared=true&account_id=a2&start_date=2024-02-11', ['t7']],
  ['search in the memo, case does not matter', '&search=BREAD', ['t1']],
  ['search in the payee', '&search=caf', ['t2']],
  ['search in the category', '&search=food', ['t1']],
  [
    'search: é matches é in any normal form',
    `&search=${encodeURIComponent('cafe\u0301 e\u0301te\u0301')}`,
    ['t2'],
  ],
  ['search: é does not match e', '&search=cafe', []],
  ['search: ß is not ss', '&search=strasse', []],
  ['search: ß is ß', `&search=${encodeURIComponent('STRAßE')}`, ['t4']],
  [
    'search is literal: no pattern characters',
    `&search=${encodeURIComponent('% OFF_(a.b)*[x]')}`,
    ['t3'],
  ],
  ['search is literal: . is a dot', '&search=a.b', ['t3']],
  ['search is literal: .* matches nothing', '&search=.*', []],
  ['search is literal: $ and quotes', `&search=${encodeURIComponent('$search')}`, []],
  ['search for quotes', `&search=${encodeURIComponent('"quoted"')}`, ['t8']],
  ['search for NUL', '&search=%00', ['t8']],
  ['search for an id or another field finds nothing', '&search=standard', []],
  ['search: within one text, not across two', '&search=breadf', []],
  ['search with a space as +', '&search=50%25+off', ['t3']],
  ['search and another filter', '&search=a&uncleared=true', ['t3']],
];

for (const [title, query, expected] of filters) {
  test(`Filter: ${title}`, async t => {
    t.deepEqual(await idsOf(query), expected);
  });
}

test('Filters are applied before paging; limit applies to the filtered set', async t => {
  const page = await list('&uncategorized=true&limit=2&offset=1');
  t.deepEqual(
    page.body.transactions.map(({ id }: Row) => id),
    ['t3', 't4'],
  );
  t.deepEqual(page.body.pagination, { limit: 2, offset: 1, has_more: true });
});

test('has_more: true exactly when the page was full; the next page may be empty', async t => {
  t.true((await list('&limit=8')).body.pagination.has_more);
  const next = await list('&limit=8&offset=8');
  t.deepEqual(next.body, {
    transactions: [],
    pagination: { limit: 8, offset: 8, has_more: false },
  });
});

test('offset past the end is 200 with [] and has_more false', async t => {
  for (const filter of ['', '&account_id=a1', '&category_id=c1', '&uncleared=true', '&search=a']) {
    const { status, body } = await list(`${filter}&offset=2147483647`);
    t.is(status, 200);
    t.deepEqual(body.transactions, []);
    t.deepEqual(body.pagination, { limit: 1000, offset: 2147483647, has_more: false });
  }
});

test('An account_id or category_id that is not in this budget gets the same 404 as an absent budget', async t => {
  const absent = await served.api('/transactions?budget_id=nowhere', { token });
  for (const filter of [
    'account_id=nowhere',
    'account_id=elsewhere',
    'category_id=a1',
    'account_id=a1&category_id=x',
  ]) {
    expectSame404(t, absent, [filter, await list(`&${filter}`)]);
  }
});

test('404 for filter ids comes before 304', async t => {
  const headers = { 'if-none-match': '*' };
  const known = await served.api('/transactions?budget_id=b1&account_id=a1', { token, headers });
  t.is(known.status, 304);
  const other = await served.api('/transactions?budget_id=b1&account_id=zz', { token, headers });
  t.is(other.status, 404);
});
