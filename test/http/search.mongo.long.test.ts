// Searches of /transactions, rare and common, alone and with other filters, compared with a search row by row.
import test from 'ava';
import { normalizeText } from '../../projections/normalize-text.ts';
import { createRandom } from '../histories/random.ts';
import { account, budget, category, group, payee, row, space } from '../model/scene.ts';
import { useServed } from './use-served.ts';

let token: string;

const random = createRandom(7);
const MEMOS = ['', '', 'Bread', 'bread and MILK', 'Straße 9', '100 % off', 'x', 'É te'];
/** More payees than the reader merges row lists of. */
const PAYEES = Array.from({ length: 260 }, (_, index) => ({
  id: `p${index}`,
  name: `Shop ${index}${index % 50 === 0 ? ' Rare' : ''}`,
}));
const CATEGORIES = Array.from({ length: 12 }, (_, index) => ({
  id: `c${index}`,
  name: `Kind ${index}${index === 3 ? ' of bread' : ''}`,
}));
const ROWS = Array.from({ length: 3000 }, (_, index) => {
  const payeeId = random.chance(0.7) ? random.pick(PAYEES).id : null;
  const categoryId = random.chance(0.6) ? random.pick(CATEGORIES).id : null;
  const month = String(random.between(1, 12)).padStart(2, '0');
  const isNeedle = index === 17 || index === 2900;
  return {
    transactionId: `t${index}`,
    // Dates are not in the order of entry.
    date: `20${random.between(10, 24)}-${month}-${String(random.between(1, 28)).padStart(2, '0')}`,
    accountId: random.chance(0.8) ? 'a1' : 'a2',
    payeeId,
    categoryId,
    cleared: random.chance(0.9),
    memo: isNeedle ? 'a Needle' : random.pick(MEMOS),
  };
});

const served = useServed(test, { name: 'http_search' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  const catalogue = [
    ...[budget('s1'), account('a1'), account('a2'), group('g1')],
    ...PAYEES.map(({ id, name }) => payee(id, name)),
    ...CATEGORIES.map(({ id, name }) => category(id, 'g1', { name })),
  ];
  const entered = ROWS.map(given => row(given.transactionId, given));
  // A search must not find memos and names of another budget.
  const others = ROWS.slice(0, 50).map(({ transactionId, ...given }) =>
    row(transactionId, { ...given, memo: 'only elsewhere' }),
  );
  await project('s1', ...space(['anna']));
  await project('b1', ...catalogue, ...entered);
  await project('b2', ...catalogue, ...others);
});

const LISTED = ROWS.map((row, index) => ({ ...row, index })).sort((a, b) =>
  a.date === b.date ? b.index - a.index : a.date < b.date ? 1 : -1,
);
type Listed = (typeof LISTED)[number];
const NAMES = new Map([...PAYEES, ...CATEGORIES].map(({ id, name }) => [id, name]));

const SEARCHES = [
  'needle',
  'only elsewhere',
  'rare',
  'bread',
  'BREAD and',
  'shop',
  'shop 17',
  'kind 1',
  'straße',
  '% off',
  'e\u0301 t',
  'x',
  ' ',
  'milkshop',
];

const FILTERS: readonly [query: string, keep: (row: Listed) => boolean][] = [
  ['', () => true],
  ['&account_id=a2', ({ accountId }) => accountId === 'a2'],
  ['&category_id=c3', ({ categoryId }) => categoryId === 'c3'],
  [
    '&start_date=2012-05-06&end_date=2019-02-03',
    ({ date }) => date >= '2012-05-06' && date <= '2019-02-03',
  ],
  ['&uncategorized=true', ({ categoryId }) => categoryId === null],
  [
    '&uncleared=true&account_id=a1&end_date=2020-12-31',
    ({ cleared, accountId, date }) => !cleared && accountId === 'a1' && date <= '2020-12-31',
  ],
];

for (const search of SEARCHES) {
  test(`Search for '${search}': the same rows in the same order as a search row by row`, async t => {
    const matching = LISTED.filter(({ payeeId, memo, categoryId }) =>
      [NAMES.get(payeeId ?? ''), memo, NAMES.get(categoryId ?? '')].some(text =>
        normalizeText(text ?? '').includes(normalizeText(search)),
      ),
    );
    for (const [query, keep] of FILTERS) {
      const wanted = matching.filter(keep).map(({ transactionId }) => transactionId);
      for (const [limit, offset] of [
        [1000, 0],
        [3, 0],
        [10, 5],
        [10, Math.max(wanted.length - 4, 0)],
        [100, 700],
        [5, 2_000_000],
      ] as const) {
        const asked = `search=${encodeURIComponent(search)}${query}&limit=${limit}&offset=${offset}`;
        const { status, body } = await served.api(`/transactions?budget_id=b1&${asked}`, { token });
        t.is(status, 200);
        const ids = body.transactions.map(({ id }: { id: string }) => id);
        t.deepEqual(ids, wanted.slice(offset, offset + limit), asked);
      }
    }
  });
}
