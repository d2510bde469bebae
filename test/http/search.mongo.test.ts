// Searches of /transactions, rare and common, alone and with other filters, held against going through all rows.
import test from 'ava';
import { normalizeText } from '../../projections/normalize-text.ts';
import { useMongo } from '../helpers/mongo.ts';
import { createRandom } from '../histories/random.ts';
import { type GivenRow, writeBudget, writeSpace } from '../read-store/write-model.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;

const random = createRandom(7);
const MEMOS = ['', '', 'Bread', 'bread and MILK', 'Straße 9', '100 % off', 'x', 'É te'];
/** More than the reader merges lists of rows of. */
const PAYEES = Array.from({ length: 260 }, (_, index) => ({
  id: `p${index}`,
  name: `Shop ${index}${index % 50 === 0 ? ' Rare' : ''}`,
}));
const CATEGORIES = Array.from({ length: 12 }, (_, index) => ({
  id: `c${index}`,
  groupId: 'g1',
  name: `Kind ${index}${index === 3 ? ' of bread' : ''}`,
}));
const ROWS: readonly GivenRow[] = Array.from({ length: 3000 }, (_, index) => {
  const payee = random.chance(0.7) ? random.pick(PAYEES) : null;
  const category = random.chance(0.6) ? random.pick(CATEGORIES) : null;
  const month = String(random.between(1, 12)).padStart(2, '0');
  const isNeedle = index === 17 || index === 2900;
  return {
    id: `t${index}`,
    // Not in the order of entry.
    date: `20${random.between(10, 24)}-${month}-${String(random.between(1, 28)).padStart(2, '0')}`,
    accountId: random.chance(0.8) ? 'a1' : 'a2',
    payeeId: payee?.id ?? null,
    payeeName: payee?.name ?? null,
    categoryId: category?.id ?? null,
    categoryName: category?.name ?? null,
    cleared: random.chance(0.9),
    memo: isNeedle ? 'a Needle' : random.pick(MEMOS),
  };
});

test.before(async () => {
  served = await serve(mongo, 'http_search');
  token = await served.issue('anna');
  await writeSpace(served.model, 's1', ['anna']);
  const catalogue = { payees: PAYEES, groups: [{ id: 'g1' }], categories: CATEGORIES };
  const accounts = [{ id: 'a1' }, { id: 'a2' }];
  await writeBudget(served.model, { id: 'b1', spaceId: 's1', accounts, ...catalogue, rows: ROWS });
  // Another budget's memos and names are no part of it.
  const others = ROWS.slice(0, 50).map(row => ({ ...row, memo: 'only elsewhere' }));
  await writeBudget(served.model, {
    id: 'b2',
    spaceId: 's1',
    accounts,
    ...catalogue,
    rows: others,
  });
});

mongo.beforeStop(async () => {
  await served?.stop();
});

const LISTED = ROWS.map((row, index) => ({ ...row, index })).sort((a, b) =>
  a.date === b.date ? b.index - a.index : a.date < b.date ? 1 : -1,
);
type Listed = (typeof LISTED)[number];

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
  test(`Search for '${search}': the same rows in the same order as one by one`, async t => {
    const matching = LISTED.filter(({ payeeName, memo, categoryName }) =>
      [payeeName, memo, categoryName].some(text =>
        normalizeText(text ?? '').includes(normalizeText(search)),
      ),
    );
    for (const [query, keep] of FILTERS) {
      const wanted = matching.filter(keep).map(({ id }) => id);
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
