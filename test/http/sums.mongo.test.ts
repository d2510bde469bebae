// GET /sums
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
  transfer,
} from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;

const EVENTS = [
  ...[budget('s1'), account('home'), account('cash'), account('house', false)],
  ...[group('needs', 'envelope', { name: 'Needs' }), group('wages', 'income', { name: 'Wages' })],
  ...[category('food', 'needs', { name: 'Food' }), category('rent', 'needs', { name: 'Rent' })],
  category('wage', 'wages', { name: 'Wage' }),
  ...[payee('shop', 'Shop'), payee('a.b', 'Dots'), payee('__proto__', 'Strange'), payee('zero')],
  ...[label('red', 'Red'), label('x.y', 'Dotted')],
  row('r1', { date: '2024-01-31', amount: '-10.00', categoryId: 'food', payeeId: 'shop' }),
  row('r2', {
    ...{ date: '2024-02-01', amount: '-20.00', categoryId: 'food', payeeId: 'shop' },
    labelIds: ['red', 'x.y'],
  }),
  row('r3', { date: '2024-02-29', amount: '5.00', categoryId: 'food', payeeId: 'a.b' }),
  row('r4', {
    ...{ date: '2024-03-15', amount: '-7.00', categoryId: 'rent', payeeId: '__proto__' },
    labelIds: ['x.y'],
  }),
  row('r5', { date: '2024-03-31', amount: '1000.00', categoryId: 'wage', accountId: 'cash' }),
  row('r6', { date: '2024-03-31', amount: '0.00', payeeId: 'zero', accountId: 'house' }),
  transfer('t1', ['home', 'cash'], { date: '2024-02-10', amount: '-100.00' }),
  transfer('t2', ['cash', 'home'], { date: '2024-02-10', amount: '100.00' }),
  transfer('t3', ['home', 'house'], { date: '2024-02-11', amount: '-50.00', categoryId: 'rent' }),
  transfer('t4', ['house', 'home'], { date: '2024-02-11', amount: '50.00' }),
  row('old', { date: '0001-01-01', amount: '-0.01', categoryId: 'rent' }),
  row('far', { date: '9999-12-31', amount: '-0.02', categoryId: 'rent' }),
] as const;

const served = useServed(test, { name: 'http_sums' }, async () => {
  token = await served.issue('anna', { scopes: ['transactions:read'] });
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', ...EVENTS);
  await served.model.project('empty', budget('s1'), account('home'));
});

const ask = (query: string, budgetId = 'b1') =>
  served.api(`/sums?budget_id=${budgetId}&group_by=${query}`, { token });

/** `period id inflow outflow net count` of each sum. */
async function lines(query: string): Promise<string[]> {
  const { status, body } = await ask(query);
  if (status !== 200) throw new Error(`${query}: expected 200, got ${JSON.stringify(body)}`);
  return body.sums.map(({ period, id, inflow, outflow, net, count }: Record<string, unknown>) =>
    [period ?? '-', id ?? '-', inflow, outflow, net, count].join(' '),
  );
}

const IN_2024 = '&start_date=2024-01-01&end_date=2024-12-31';

test('Sum: the figures and names of each category, what costs most first', async t => {
  const { status, headers, body } = await ask(`category${IN_2024}`);
  t.is(status, 200);
  t.is(holdsTo('sums', body), null);
  t.is(headers.get('x-projection-position'), String(EVENTS.length));
  const none = { period: null, inflow: '0.00', outflow: '0.00', count: 1 };
  t.deepEqual(body, {
    sums: [
      {
        ...{ ...none, id: 'food', name: 'Food', net: '-25.00' },
        ...{ inflow: '5.00', outflow: '-30.00', count: 3 },
      },
      { ...none, id: 'rent', name: 'Rent', outflow: '-7.00', net: '-7.00' },
      { ...none, id: null, name: null, net: '0.00' },
      { ...none, id: 'wage', name: 'Wage', inflow: '1000.00', net: '1000.00' },
    ],
    pagination: { limit: 1000, offset: 0, has_more: false },
  });
});

test('group_by: accounts, groups of categories, payees, labels, and all rows together', async t => {
  t.deepEqual(await lines(`account${IN_2024}`), [
    '- home 5.00 -37.00 -32.00 4',
    '- house 0.00 0.00 0.00 1',
    '- cash 1000.00 0.00 1000.00 1',
  ]);
  t.deepEqual(await lines(`categoryGroup${IN_2024}`), [
    '- needs 5.00 -37.00 -32.00 4',
    '- - 0.00 0.00 0.00 1',
    '- wages 1000.00 0.00 1000.00 1',
  ]);
  t.deepEqual(await lines(`payee${IN_2024}`), [
    '- shop 0.00 -30.00 -30.00 2',
    '- __proto__ 0.00 -7.00 -7.00 1',
    '- zero 0.00 0.00 0.00 1',
    '- a.b 5.00 0.00 5.00 1',
    '- - 1000.00 0.00 1000.00 1',
  ]);
  t.deepEqual(await lines(`label${IN_2024}`), [
    '- x.y 0.00 -27.00 -27.00 2',
    '- red 0.00 -20.00 -20.00 1',
    '- - 1005.00 -10.00 995.00 4',
  ]);
  t.deepEqual(await lines(`none${IN_2024}`), ['- - 1005.00 -37.00 968.00 6']);
});

test('interval: months and years that have rows, the oldest first, from the first year to the last', async t => {
  t.deepEqual(await lines('none&interval=month'), [
    '0001-01 - 0.00 -0.01 -0.01 1',
    '2024-01 - 0.00 -10.00 -10.00 1',
    '2024-02 - 5.00 -20.00 -15.00 2',
    '2024-03 - 1000.00 -7.00 993.00 3',
    '9999-12 - 0.00 -0.02 -0.02 1',
  ]);
  t.deepEqual(await lines('none&interval=year'), [
    '0001 - 0.00 -0.01 -0.01 1',
    '2024 - 1005.00 -37.00 968.00 6',
    '9999 - 0.00 -0.02 -0.02 1',
  ]);
  // By rows as by stored sums.
  t.deepEqual(await lines('none&interval=month&account_id=home&category_id=rent'), [
    '0001-01 - 0.00 -0.01 -0.01 1',
    '2024-03 - 0.00 -7.00 -7.00 1',
    '9999-12 - 0.00 -0.02 -0.02 1',
  ]);
  t.deepEqual(await lines('none&interval=year&account_id=home&category_id=rent'), [
    '0001 - 0.00 -0.01 -0.01 1',
    '2024 - 0.00 -7.00 -7.00 1',
    '9999 - 0.00 -0.02 -0.02 1',
  ]);
});

test('dates cut months, whose names stay whole', async t => {
  const from = (start: string, end: string) =>
    lines(`none&interval=month&start_date=${start}&end_date=${end}`);
  t.deepEqual(await from('2024-02-02', '2024-03-30'), [
    '2024-02 - 5.00 0.00 5.00 1',
    '2024-03 - 0.00 -7.00 -7.00 1',
  ]);
  t.deepEqual(await from('2024-01-31', '2024-02-01'), [
    '2024-01 - 0.00 -10.00 -10.00 1',
    '2024-02 - 0.00 -20.00 -20.00 1',
  ]);
  t.deepEqual(await from('2024-02-02', '2024-02-28'), []);
  t.deepEqual(await lines('none&start_date=9999-12-31'), ['- - 0.00 -0.02 -0.02 1']);
  t.deepEqual(await lines('none&end_date=0001-01-01'), ['- - 0.00 -0.01 -0.01 1']);
});

test('transfers are left out unless they are asked for; on_budget is that of the account', async t => {
  t.deepEqual(await lines(`account&transfers=include${IN_2024}`), [
    '- home 5.00 -187.00 -182.00 6',
    '- house 50.00 0.00 50.00 2',
    '- cash 1100.00 0.00 1100.00 2',
  ]);
  t.deepEqual(await lines(`account&transfers=only${IN_2024}`), [
    '- home 0.00 -150.00 -150.00 2',
    '- house 50.00 0.00 50.00 1',
    '- cash 100.00 0.00 100.00 1',
  ]);
  t.deepEqual(await lines(`category&transfers=only&on_budget=true${IN_2024}`), [
    '- rent 0.00 -50.00 -50.00 1',
    '- - 100.00 -100.00 0.00 2',
  ]);
  t.deepEqual(await lines(`payee&on_budget=false${IN_2024}`), ['- zero 0.00 0.00 0.00 1']);
  const same = await ask('payee&interval=none&transfers=exclude');
  t.deepEqual(same.body, (await ask('payee')).body);
});

test('filters choose rows, and the groups are all of those rows', async t => {
  t.deepEqual(await lines('payee&payee_id=a.b'), ['- a.b 5.00 0.00 5.00 1']);
  t.deepEqual(await lines('none&payee_id=shop&interval=month'), [
    '2024-01 - 0.00 -10.00 -10.00 1',
    '2024-02 - 0.00 -20.00 -20.00 1',
  ]);
  t.deepEqual(await lines('label&label_id=red'), [
    '- x.y 0.00 -20.00 -20.00 1',
    '- red 0.00 -20.00 -20.00 1',
  ]);
  t.deepEqual(await lines('none&label_id=x.y'), ['- - 0.00 -27.00 -27.00 2']);
  t.deepEqual(await lines('category&payee_id=shop'), ['- food 0.00 -30.00 -30.00 2']);
  t.deepEqual(await lines('categoryGroup&category_id=food'), ['- needs 5.00 -30.00 -25.00 3']);
  t.deepEqual(await lines('payee&category_id=food&account_id=home&label_id=red'), [
    '- shop 0.00 -20.00 -20.00 1',
  ]);
  t.deepEqual(await lines('payee&category_id=food&account_id=cash'), []);
  for (const name of ['account', 'category', 'payee', 'label']) {
    t.is((await ask(`none&${name}_id=nowhere`)).status, 404, name);
    // An id of another kind.
    t.is((await ask(`none&${name}_id=needs`)).status, 404, name);
  }
});

test('limit and offset count sums over all periods; a full page leads to the next one', async t => {
  const all = await lines('category&interval=month');
  const paged: string[] = [];
  for (let offset = 0; offset < all.length; offset += 2) {
    const { body, headers } = await ask(`category&interval=month&limit=2&offset=${offset}`);
    const isFull = body.sums.length === 2;
    t.deepEqual(body.pagination, { limit: 2, offset, has_more: isFull });
    const next = isFull
      ? `</api/v1/sums?budget_id=b1&group_by=category&interval=month&limit=2&offset=${offset + 2}>; rel="next"`
      : null;
    t.is(headers.get('link'), next);
    paged.push(...(await lines(`category&interval=month&limit=2&offset=${offset}`)));
  }
  t.deepEqual(paged, all);
  t.deepEqual(await lines('category&offset=2147483647'), []);
});

test('equal sums are in the order of name keys, then ids; rows without a group come last', async t => {
  const names = { c1: 'b', c2: 'A', c3: 'a', c4: 'É' };
  const entered = Object.keys(names).map(id =>
    row(`of-${id}`, { categoryId: id, amount: '-1.00', accountId: 'home' }),
  );
  await served.model.project(
    'ties',
    ...[budget('s1'), account('home'), group('g')],
    ...Object.entries(names).map(([id, name]) => category(id, 'g', { name })),
    ...entered,
    row('none', { amount: '-1.00' }),
  );
  const idsOf = async (more: string) =>
    (await ask(`category${more}`, 'ties')).body.sums.map(({ id }: { id: string | null }) => id);
  t.deepEqual(await idsOf(''), ['c2', 'c3', 'c1', 'c4', null]);
  for (const offset of [0, 1, 2, 3, 4]) {
    t.deepEqual(await idsOf(`&limit=1&offset=${offset}`), [['c2', 'c3', 'c1', 'c4', null][offset]]);
  }
});

test('no rows: an empty list, whatever is asked for', async t => {
  for (const by of ['account', 'category', 'categoryGroup', 'payee', 'label', 'none']) {
    const { body } = await ask(`${by}&interval=month`, 'empty');
    t.deepEqual(body, { sums: [], pagination: { limit: 1000, offset: 0, has_more: false } }, by);
  }
});

test('parameters: group_by is required, others are refused as everywhere', async t => {
  const problems = async (query: string) => {
    const { status, body } = await served.api(`/sums?budget_id=b1${query}`, { token });
    t.is(status, 400, query);
    return body.error.details.map(({ code, param }: Record<string, string>) => `${code} ${param}`);
  };
  t.deepEqual(await problems(''), ['missing_parameter group_by']);
  t.deepEqual(await problems('&group_by=payee&search=x'), ['unknown_parameter search']);
  t.deepEqual(await problems('&group_by=Payee&interval=day&transfers=no&on_budget=1'), [
    'invalid_parameter group_by',
    'invalid_parameter interval',
    'invalid_parameter transfers',
    'invalid_parameter on_budget',
  ]);
  t.deepEqual(await problems('&group_by=none&start_date=2024-02-01&end_date=2024-01-31'), [
    'invalid_parameter end_date',
  ]);
  t.deepEqual(await problems('&group_by=none&payee_id=a/b&limit=1001'), [
    'invalid_parameter payee_id',
    'invalid_parameter limit',
  ]);
});
