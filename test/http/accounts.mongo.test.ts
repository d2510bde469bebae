// GET /accounts
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { type GivenRow, writeBudget, writeSpace } from '../read-store/write-model.ts';
import { holdsTo } from './contract.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;
/** The clock of the reader: just before midnight, UTC. */
let now = new Date('2024-06-15T23:59:59.999Z');

const row = (id: string, date: string, amount: number, more: Partial<GivenRow> = {}): GivenRow => ({
  id,
  date,
  amount,
  accountId: 'future',
  ...more,
});

test.before(async () => {
  served = await serve(mongo, 'http_accounts', { clock: () => now });
  token = await served.issue('anna', {}, now);
  await writeSpace(served.model, 's1', ['anna']);
  await writeBudget(served.model, {
    id: 'b1',
    spaceId: 's1',
    accounts: [
      { id: 'future', name: 'Future', position: 2 },
      { id: 'foreign', name: 'Foreign', currency: 'USD', type: 'savings', position: 1 },
      { id: 'closed', name: 'b closed', closed: true, onBudget: false },
      { id: 'empty', name: 'A empty' },
    ],
    rows: [
      row('r1', '2024-06-01', 10_000),
      row('r2', '2024-06-15', -2500, { cleared: false }),
      row('r3', '2024-06-16', -1000),
      row('r4', '2024-06-30', -200, { cleared: false }),
      row('r5', '2024-07-01', -30),
      row('r6', '9999-12-31', -4, { cleared: false }),
      row('f1', '2024-05-01', 900, { accountId: 'foreign', amountNative: 1000 }),
      row('f2', '2024-06-20', -90, { accountId: 'foreign', amountNative: -100 }),
    ],
  });
  await writeBudget(served.model, {
    id: 'past',
    spaceId: 's1',
    accounts: [{ id: 'a1' }],
    rows: [{ id: 'p1', date: '2024-06-15' }],
  });
});

mongo.beforeStop(async () => {
  await served?.stop();
});

test.serial(
  'GET /accounts: all of them, closed ones too; position (rows without one last), then name key',
  async t => {
    const { status, headers, body } = await served.api('/accounts?budget_id=b1', { token });
    t.is(status, 200);
    t.is(holdsTo('accounts', body), null);
    t.deepEqual(Object.keys(body), ['accounts']);
    t.deepEqual(
      body.accounts.map(({ id }: { id: string }) => id),
      ['foreign', 'future', 'empty', 'closed'],
    );
    t.is(headers.get('x-projection-position'), '1');
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
      createdAt: '2024-01-02T03:04:05.678Z',
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
  'As of today: an answer that waits past midnight is of the day it is given',
  async t => {
    now = new Date('2024-06-15T23:59:59.999Z');
    const headers = { 'X-Projection-Wait-For': '2', 'X-Projection-Wait-Seconds': '10' };
    const waiting = served.api('/accounts?budget_id=b1', { token, headers });
    // Its first look has been taken by then.
    await new Promise(resolve => setTimeout(resolve, 500));
    now = new Date('2024-06-16T00:00:00.000Z');
    await served.model.heads.updateOne({ _id: 'b1' }, { $set: { sequence: 2 } });
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
