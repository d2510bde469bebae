// GET /accounts
import { test } from '../helpers/file-test.ts';
import { account, budget, row, space, steps } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;
/** The clock of the reader: just before midnight, UTC. */
let now = new Date('2024-06-15T23:59:59.999Z');

const CREATED_AT = '2024-01-02T03:04:05.678Z';
/** The events of budget b1. */
const EVENTS = [
  budget('s1'),
  { ...account('future', true, { name: 'Future', position: 2 }), time: CREATED_AT },
  account('foreign', true, { name: 'Foreign', currency: 'USD', type: 'savings', position: 1 }),
  account('closed', false, { name: 'b closed' }),
  account('empty', true, { name: 'A empty' }),
  { type: 'account.closed', data: { accountId: 'closed' } } as const,
  future('r1', '2024-06-01', { amount: '100.00', cleared: true }),
  future('r2', '2024-06-15', { amount: '-25.00', cleared: false }),
  future('r3', '2024-06-16', { amount: '-10.00', cleared: true }),
  future('r4', '2024-06-30', { amount: '-2.00', cleared: false }),
  future('r5', '2024-07-01', { amount: '-0.30', cleared: true }),
  future('r6', '9999-12-31', { amount: '-0.04', cleared: false }),
  foreign('f1', '2024-05-01', { amount: '9.00', amountNative: '10.00' }),
  foreign('f2', '2024-06-20', { amount: '-0.90', amountNative: '-1.00' }),
];

function future(id: string, date: string, more: { amount: string; cleared: boolean }) {
  return row(id, { accountId: 'future', date, ...more });
}

function foreign(id: string, date: string, more: { amount: string; amountNative: string }) {
  return row(id, { accountId: 'foreign', date, ...more, exchangeRate: 0.9 });
}

const served = useServed(
  test,
  { name: 'http_accounts', clock: () => now, patient: true },
  async () => {
    token = await served.issue('anna', {}, now);
    const { project } = served.model;
    await project('s1', ...space(['anna']));
    await project('b1', ...EVENTS);
    await project('past', budget('s1'), account('home'), row('p1', { date: '2024-06-15' }));
  },
);

test.serial(
  'GET /accounts: all accounts, closed ones too; position (accounts without one last), then name key',
  async t => {
    const { status, headers, body } = await served.api('/accounts?budget_id=b1', { token });
    t.is(status, 200);
    t.is(holdsTo('accounts', body), null);
    t.deepEqual(Object.keys(body), ['accounts']);
    t.deepEqual(
      body.accounts.map(({ id }: { id: string }) => id),
      ['foreign', 'future', 'empty', 'closed'],
    );
    t.is(headers.get('x-projection-position'), String(EVENTS.length));
  },
);

test.serial(
  'Account: balances exclude future-dated transactions, transactionCount and lastTransactionDate count them',
  async t => {
    const { body } = await served.api('/accounts?budget_id=b1', { token });
    t.deepEqual(body.accounts[1], {
      id: 'future',
      name: 'Future',
      type: 'checking',
      currency: null,
      onBudget: true,
      closed: false,
      balance: '75.00',
      clearedBalance: '100.00',
      unclearedBalance: '-25.00',
      nativeBalance: '75.00',
      transactionCount: 6,
      lastTransactionDate: '9999-12-31',
      createdAt: CREATED_AT,
    });
  },
);

test.serial(
  'Account: nativeBalance is in the own currency; without one it equals balance',
  async t => {
    const { body } = await served.api('/accounts?budget_id=b1', { token });
    const [foreign, , empty] = body.accounts;
    t.is(foreign.balance, '9.00');
    t.is(foreign.nativeBalance, '10.00');
    t.is(foreign.currency, 'USD');
    t.is(empty.balance, '0.00');
    t.is(empty.nativeBalance, '0.00');
    t.is(empty.lastTransactionDate, null);
  },
);

test.serial(
  'As of today (server date, UTC): at midnight rows of the new day count, without any event',
  async t => {
    const before = await served.api('/accounts?budget_id=b1', { token });
    const past = await served.api('/accounts?budget_id=past', { token });
    now = new Date('2024-06-16T00:00:00.000Z');
    const after = await served.api('/accounts?budget_id=b1', { token });
    t.is(before.body.accounts[1].balance, '75.00');
    t.is(after.body.accounts[1].balance, '65.00');
    t.not(after.headers.get('etag'), before.headers.get('etag'));
    t.is(after.headers.get('x-projection-position'), before.headers.get('x-projection-position'));
    const pastAfter = await served.api('/accounts?budget_id=past', { token });
    t.is(pastAfter.headers.get('etag'), past.headers.get('etag'));
  },
);

test.serial(
  'As of today: an answer after a wait past midnight has the balances of the new day',
  async t => {
    now = new Date('2024-06-15T23:59:59.999Z');
    const next = String(EVENTS.length + 1);
    const headers = { 'X-Projection-Wait-For': next, 'X-Projection-Wait-Seconds': '10' };
    const waiting = served.api('/accounts?budget_id=b1', { token, headers });
    await served.waits(1);
    now = new Date('2024-06-16T00:00:00.000Z');
    await served.model.project('b1', ...steps(1));
    const { status, headers: sent, body } = await waiting;
    t.is(status, 200);
    t.is(body.accounts[1].balance, '65.00');
    const fresh = await served.api('/accounts?budget_id=b1', { token });
    t.is(sent.get('etag'), fresh.headers.get('etag'));
  },
);

test.serial('As of today: from month to month', async t => {
  const balanceOn = async (date: string) => {
    now = new Date(`${date}T12:00:00Z`);
    const fresh = await served.issue('anna', {}, now);
    const { body } = await served.api('/accounts?budget_id=b1', { token: fresh });
    return body.accounts[1].balance;
  };
  t.is(await balanceOn('2024-05-31'), '0.00');
  t.is(await balanceOn('2024-06-30'), '63.00');
  t.is(await balanceOn('2024-07-01'), '62.70');
  t.is(await balanceOn('9999-12-30'), '62.70');
  t.is(await balanceOn('9999-12-31'), '62.66');
});

test.serial('name keeps the accounts with the same name key, closed ones too', async t => {
  const { project } = served.model;
  const names = ['Café', 'CAFE\u0301', 'cafe', 'Café 2'];
  const opened = names.map((name, index) => account(`n${index}`, true, { name }));
  const closed = { type: 'account.closed', data: { accountId: 'n1' } } as const;
  await project('b-names', budget('s1'), ...opened, closed);
  const own = await served.issue('anna', {}, now);
  const named = async (name: string) => {
    const path = `/accounts?budget_id=b-names&name=${encodeURIComponent(name)}`;
    const { status, body } = await served.api(path, { token: own });
    t.is(status, 200);
    t.is(holdsTo('accounts', body), null);
    return body.accounts.map(({ id }: { id: string }) => id);
  };
  t.deepEqual(await named('cafÉ'), ['n0', 'n1']);
  t.deepEqual(await named('CAFE'), ['n2']);
  t.deepEqual(await named('Caf'), []);
  const { status } = await served.api('/accounts?budget_id=b-names&name=', { token: own });
  t.is(status, 400);
});
