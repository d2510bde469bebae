// Pages of /transactions far from the start: seeking by counts gives the same list as skipping row by row.
import test from 'ava';
import { formatMoney } from '../../projections/money.ts';
import { account, budget, category, group, label, payee, row, space } from '../model/scene.ts';
import { useServed } from './use-served.ts';

let token: string;

/** So many that most amounts are beyond what the index of amounts is used for. */
const COUNT = 5600;
const DAYS = [
  '0001-01-01',
  '2019-12-31',
  '2020-02-29',
  '2020-03-01',
  '2022-06-15',
  '2024-01-31',
  '9999-12-31',
];
const ROWS = Array.from({ length: COUNT }, (_, index) => {
  const onDay = DAYS[index % DAYS.length] ?? '';
  const spread = `202${index % 5}-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}`;
  return {
    transactionId: `t${index}`,
    date: index % 3 === 0 ? onDay : spread,
    accountId: index % 4 === 0 ? 'a2' : 'a1',
    categoryId: index % 5 === 0 ? null : 'c1',
    cleared: index % 7 !== 0,
    memo: index % 2 === 0 ? 'even' : 'odd',
    payeeId: index % 3 === 1 ? null : 'p1',
    labelIds: index % 4 === 3 ? [] : index % 4 === 2 ? ['l1'] : ['l2', 'l1'],
    type: index % 6 === 0 ? ('reconciliation' as const) : ('standard' as const),
    cents: 50 - (index % 100),
  };
});

const served = useServed(test, { name: 'http_deep_pages' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  const catalogue = [
    ...[account('a1'), account('a2'), group('g1'), category('c1', 'g1')],
    ...[payee('p1'), label('l1'), label('l2')],
  ];
  const entered = ROWS.map(({ cents, ...given }) =>
    row(given.transactionId, { ...given, amount: formatMoney(cents) }),
  );
  await project('b1', budget('s1'), ...catalogue, ...entered);
});

interface Listed {
  readonly id: string;
}

const LISTED = ROWS.map((row, index) => ({ ...row, index })).sort((a, b) =>
  a.date === b.date ? b.index - a.index : a.date < b.date ? 1 : -1,
);

type Keep = (row: (typeof LISTED)[number]) => boolean;

const lists: [title: string, query: string, keep: Keep][] = [
  ['unfiltered', '', () => true],
  ['by account', '&account_id=a1', ({ accountId }) => accountId === 'a1'],
  ['by category', '&category_id=c1', ({ categoryId }) => categoryId === 'c1'],
  [
    'by dates',
    '&start_date=2020-02-29&end_date=2024-01-30',
    ({ date }) => date >= '2020-02-29' && date <= '2024-01-30',
  ],
  ['up to a date', '&end_date=2023-05-07', ({ date }) => date <= '2023-05-07'],
  ['from a date', '&start_date=2021-05-07', ({ date }) => date >= '2021-05-07'],
  [
    'by account and dates',
    '&account_id=a1&start_date=2020-01-15&end_date=2022-06-15',
    ({ accountId, date }) => accountId === 'a1' && date >= '2020-01-15' && date <= '2022-06-15',
  ],
  [
    'by category and dates',
    '&category_id=c1&start_date=2020-01-15&end_date=2024-01-17',
    ({ categoryId, date }) => categoryId === 'c1' && date >= '2020-01-15' && date <= '2024-01-17',
  ],
  [
    'by account and category',
    '&account_id=a1&category_id=c1',
    ({ accountId, categoryId }) => accountId === 'a1' && categoryId === 'c1',
  ],
  ['by search', '&search=odd', ({ memo }) => memo === 'odd'],
  ['by uncleared', '&uncleared=true', ({ cleared }) => cleared === false],
  ['by payee', '&payee_id=p1', ({ payeeId }) => payeeId === 'p1'],
  [
    'by payee up to a date',
    '&payee_id=p1&end_date=2023-05-07',
    ({ payeeId, date }) => payeeId === 'p1' && date <= '2023-05-07',
  ],
  ['by label', '&label_id=l1', ({ labelIds }) => labelIds.includes('l1')],
  [
    'by label and dates',
    '&label_id=l2&start_date=2020-01-15&end_date=2022-06-15',
    ({ labelIds, date }) => labelIds.includes('l2') && date >= '2020-01-15' && date <= '2022-06-15',
  ],
  ['by type', '&type=standard', ({ type }) => type === 'standard'],
  ['by another type', '&type=reconciliation', ({ type }) => type === 'reconciliation'],
  ['by most amounts', '&min_amount=-0.45', ({ cents }) => cents >= -45],
  ['by few amounts', '&min_amount=-0.05&max_amount=0.05', ({ cents }) => Math.abs(cents) <= 5],
  [
    'by few amounts and dates',
    '&max_amount=-0.10&start_date=2020-02-29&end_date=2023-05-07',
    ({ cents, date }) => cents <= -10 && date >= '2020-02-29' && date <= '2023-05-07',
  ],
  [
    'by few amounts and other filters',
    '&max_amount=0.20&search=odd&account_id=a1&payee_id=p1&end_date=2024-01-31',
    ({ cents, memo, accountId, payeeId, date }) =>
      cents <= 20 &&
      memo === 'odd' &&
      accountId === 'a1' &&
      payeeId === 'p1' &&
      date <= '2024-01-31',
  ],
  [
    'by most amounts and other filters',
    '&min_amount=-0.48&max_amount=0.49&search=odd&account_id=a1&label_id=l1',
    ({ cents, memo, accountId, labelIds }) =>
      cents >= -48 &&
      cents <= 49 &&
      memo === 'odd' &&
      accountId === 'a1' &&
      labelIds.includes('l1'),
  ],
  ['by amounts that no row has', '&min_amount=1000.00', () => false],
  ['by dates outside the rows', '&start_date=2030-01-01&end_date=2031-01-01', () => false],
];

for (const [title, query, keep] of lists) {
  test(`Pages at any offset are pages of one list: ${title}`, async t => {
    const wanted = LISTED.filter(keep).map(({ transactionId }) => transactionId);
    const offsets = [
      499,
      500,
      501,
      999,
      1500,
      wanted.length - 3,
      wanted.length - 1,
      wanted.length,
      wanted.length + 600,
    ];
    for (const offset of offsets.filter(one => one >= 0)) {
      const path = `/transactions?budget_id=b1${query}&limit=7&offset=${offset}`;
      const { status, body } = await served.api(path, { token });
      t.is(status, 200);
      const ids = body.transactions.map(({ id }: Listed) => id);
      t.deepEqual(ids, wanted.slice(offset, offset + 7), `offset ${offset}`);
    }
  });
}

test('One total order, also across pages: every row once', async t => {
  const ids: string[] = [];
  let hasMore = true;
  while (hasMore) {
    const path = `/transactions?budget_id=b1&limit=450&offset=${ids.length}`;
    const { body } = await served.api(path, { token });
    ids.push(...body.transactions.map(({ id }: Listed) => id));
    hasMore = body.pagination.has_more;
  }
  t.deepEqual(
    ids,
    LISTED.map(({ transactionId }) => transactionId),
  );
});
