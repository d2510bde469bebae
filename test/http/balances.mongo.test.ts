// GET /balances
import { inForm } from '../../src/store/stored-form.ts';
import { test } from '../helpers/file-test.ts';
import { account, budget, row, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;

const TODAY = '2024-06-15';
const now = new Date(`${TODAY}T12:00:00Z`);

const EVENTS = [
  budget('s1'),
  ...[account('a1'), account('foreign', true, { currency: 'USD' }), account('house', false)],
  ...[account('closed'), account('empty')],
  { type: 'account.closed', data: { accountId: 'closed' } } as const,
  ...(
    [
      ['r1', '0001-01-01', '0.03', {}],
      ['r2', '2024-01-31', '100.00', {}],
      ['r3', '2024-02-29', '-25.00', { cleared: true }],
      ['r4', '2024-06-15', '-1.00', { cleared: true }],
      ['r5', '2024-06-16', '-0.20', { cleared: true }],
      ['r6', '9999-12-31', '-0.04', {}],
      ['f1', '2024-02-10', '9.00', { ...native('10.00'), accountId: 'foreign' }],
      ['h1', '2024-02-11', '500.00', { accountId: 'house' }],
      ['c1', '2024-02-12', '0.07', { accountId: 'closed' }],
    ] as const
  ).map(([id, date, amount, more]) => row(id, { accountId: 'a1', date, amount, ...more })),
];

function native(amountNative: string) {
  return { amountNative, exchangeRate: 0.9 };
}

const served = useServed(test, { name: 'http_balances', clock: () => now }, async () => {
  token = await served.issue('anna', {}, now);
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', ...EVENTS);
  await served.model.project('none', budget('s1'));
});

const ask = (start: string, end: string, more = '') =>
  served.api(`/balances?budget_id=b1&start_date=${start}&end_date=${end}${more}`, { token });

/** `date first second` of each point. */
async function lines(start: string, end: string, more = ''): Promise<string[]> {
  const { body } = await ask(start, end, more);
  return body.points.map((point: object) => Object.values(point).join(' '));
}

test('GET /balances: all accounts and those on budget, day by day', async t => {
  const { status, headers, body } = await ask('2024-02-09', '2024-02-13');
  t.is(status, 200);
  t.is(holdsTo('balances', body), null);
  t.is(headers.get('x-projection-position'), String(EVENTS.length));
  t.deepEqual(body, {
    points: [
      { date: '2024-02-09', total: '100.03', onBudget: '100.03' },
      { date: '2024-02-10', total: '109.03', onBudget: '109.03' },
      { date: '2024-02-11', total: '609.03', onBudget: '109.03' },
      { date: '2024-02-12', total: '609.10', onBudget: '109.10' },
      { date: '2024-02-13', total: '609.10', onBudget: '109.10' },
    ],
  });
});

test('interval=week: Sundays and the end; interval=month: last days of months and the end', async t => {
  t.deepEqual(await lines('2024-02-05', '2024-02-13', '&interval=week'), [
    '2024-02-11 609.03 109.03',
    '2024-02-13 609.10 109.10',
  ]);
  t.deepEqual(await lines('2024-02-11', '2024-02-11', '&interval=week'), [
    '2024-02-11 609.03 109.03',
  ]);
  t.deepEqual(await lines('2024-01-01', '2024-03-31', '&interval=month'), [
    '2024-01-31 100.03 100.03',
    '2024-02-29 584.10 84.10',
    '2024-03-31 584.10 84.10',
  ]);
  t.deepEqual(await lines('2024-02-01', '2024-02-11', '&interval=month'), [
    '2024-02-11 609.03 109.03',
  ]);
});

test('account_id: its balance, in its own currency too; 404 for none', async t => {
  const of = (id: string, end = '2024-02-29') =>
    lines('2024-01-31', end, `&interval=month&account_id=${id}`);
  t.deepEqual(await of('foreign'), ['2024-01-31 0.00 0.00', '2024-02-29 9.00 10.00']);
  t.deepEqual(await of('a1'), ['2024-01-31 100.03 100.03', '2024-02-29 75.03 75.03']);
  t.deepEqual(await of('closed', '2024-02-12'), ['2024-01-31 0.00 0.00', '2024-02-12 0.07 0.07']);
  t.deepEqual(await of('empty'), ['2024-01-31 0.00 0.00', '2024-02-29 0.00 0.00']);
  const { body } = await ask(TODAY, TODAY, '&account_id=foreign');
  t.is(holdsTo('balances', body), null);
  t.deepEqual(Object.keys(body.points[0]), ['date', 'balance', 'nativeBalance']);
  const absent = await ask(TODAY, TODAY, '&account_id=nowhere');
  t.is(absent.status, 404);
  for (const name of ['etag', 'x-projection-position']) t.is(absent.headers.get(name), null);
});

test("today's point equals /accounts, and later points count what is dated up to them", async t => {
  const { accounts } = (await served.api('/accounts?budget_id=b1', { token })).body;
  for (const { id, balance, nativeBalance } of accounts) {
    const { body } = await ask(TODAY, TODAY, `&account_id=${id}`);
    t.deepEqual(body.points, [{ date: TODAY, balance, nativeBalance }]);
  }
  t.deepEqual(await lines(TODAY, '2024-06-17'), [
    '2024-06-15 583.10 83.10',
    '2024-06-16 582.90 82.90',
    '2024-06-17 582.90 82.90',
  ]);
});

test('the ends of the calendar, and a budget without accounts', async t => {
  t.deepEqual(await lines('0001-01-01', '0001-01-02'), [
    '0001-01-01 0.03 0.03',
    '0001-01-02 0.03 0.03',
  ]);
  t.deepEqual(await lines('9999-12-30', '9999-12-31'), [
    '9999-12-30 582.90 82.90',
    '9999-12-31 582.86 82.86',
  ]);
  t.deepEqual(await lines('9999-11-15', '9999-12-31', '&interval=month'), [
    '9999-11-30 582.90 82.90',
    '9999-12-31 582.86 82.86',
  ]);
  const { body } = await served.api(
    '/balances?budget_id=none&start_date=2024-01-01&end_date=2024-01-01',
    { token },
  );
  t.deepEqual(body, { points: [{ date: '2024-01-01', total: '0.00', onBudget: '0.00' }] });
});

test('1000 points, and not one more', async t => {
  const { body } = await ask('2021-09-20', TODAY);
  t.is(body.points.length, 1000);
  t.deepEqual(body.points.at(-1), { date: TODAY, total: '583.10', onBudget: '83.10' });
  const refused = await ask('2021-09-19', TODAY, '&account_id=nowhere');
  t.is(refused.status, 400);
  t.is(refused.body.error.param, 'end_date');
});

test('documents of a later version, with further fields, give the same answer', async t => {
  const { accounts, accountMonths, accountDays } = served.model.store.collections;
  const { body } = await ask('2024-02-01', '2024-02-28');
  for (const collection of [accounts, accountMonths, accountDays]) {
    await inForm(collection).updateMany({}, { $set: { changed: 7 } });
  }
  // Asked in other words, so that no kept body is served.
  t.deepEqual((await ask('2024-02-01', '2024-02-28', '&interval=day')).body, body);
});
