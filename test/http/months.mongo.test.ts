// GET /months/{month}
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { activate, createModel, writeBudget, writeSpace } from '../read-store/write-model.ts';
import { holdsTo } from './contract.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;

test.before(async () => {
  served = await serve(mongo, 'http_months');
  token = await served.issue('anna');
  await writeSpace(served.model, 's1', ['anna']);
  await writeBudget(served.model, {
    id: 'b1',
    spaceId: 's1',
    accounts: [{ id: 'a1' }],
    rows: [
      { id: 't1', date: '2023-12-31', amount: 100 },
      { id: 't2', date: '2024-02-28', amount: -1500 },
    ],
    months: {
      '2023-12': { income: 100 },
      '2024-01': {
        ...{ income: 200_000, assigned: 80_000, overspent: -4500, overspentCount: 1 },
        ...{ cash: 115_500, held: 20_000 },
      },
      '2024-02': { income: 100_000, assigned: 80_000, cash: 38_500 },
    },
  });
});

mongo.beforeStop(async () => {
  await served?.stop();
});

const month = (name: string) => served.api(`/months/${name}?budget_id=b1`, { token });
const ZEROS = {
  readyToAssign: '0.00',
  assigned: '0.00',
  cashBalance: '0.00',
  overspentTotal: '0.00',
  overspentCount: 0,
  uncategorizedCount: 0,
  heldForNextMonth: '0.00',
};

test('GET /months/{month}: the bare Month object, the worked example one budget later', async t => {
  const january = await month('2024-01');
  t.is(january.status, 200);
  t.is(holdsTo('months', january.body), null);
  t.deepEqual(january.body, {
    month: '2024-01',
    readyToAssign: '1001.00',
    assigned: '800.00',
    cashBalance: '1156.00',
    overspentTotal: '45.00',
    overspentCount: 1,
    uncategorizedCount: 0,
    heldForNextMonth: '200.00',
  });
  t.deepEqual((await month('2024-02')).body, {
    ...ZEROS,
    month: '2024-02',
    readyToAssign: '1356.00',
    assigned: '800.00',
    cashBalance: '1541.00',
    uncategorizedCount: 1,
  });
});

test('month is valid from 0001-01 to 9999-12 and always answers 200', async t => {
  t.deepEqual((await month('0001-01')).body, { ...ZEROS, month: '0001-01' });
  t.deepEqual((await month('2023-11')).body, { ...ZEROS, month: '2023-11' });
  for (const name of ['2024-03', '2025-01', '9999-12']) {
    const { status, body } = await month(name);
    t.is(status, 200);
    t.deepEqual(body, { ...ZEROS, month: name, readyToAssign: '1356.00', cashBalance: '1541.00' });
  }
});

test.serial('Months of a kept year follow position, document set and generation', async t => {
  const answered = async (name: string) => {
    const { body, headers } = await served.api(`/months/${name}?budget_id=b2`, { token });
    return [body.assigned, headers.get('x-projection-position')];
  };
  const b2 = (assigned: number, set: string) => ({
    ...{ id: 'b2', spaceId: 's1', sequence: 2, set },
    months: { '2024-01': { assigned }, '2024-02': { assigned: 10 * assigned } },
  });
  const { model, db } = served;
  await writeBudget(model, { ...b2(1, 'first'), sequence: 1 });
  t.deepEqual(await answered('2024-01'), ['0.01', '1']);
  t.deepEqual(await answered('2024-02'), ['0.10', '1']);
  await model.years.updateOne({ set: 'first' }, { $set: { 'months.02.assigned': 20 } });
  await model.heads.updateOne({ _id: 'b2' }, { $set: { sequence: 2 } });
  t.deepEqual(await answered('2024-02'), ['0.20', '2']);
  await writeBudget(model, b2(3, 'second'));
  t.deepEqual(await answered('2024-02'), ['0.30', '2']);
  const next = await createModel(db, 'g2');
  await writeSpace(next, 's1', ['anna']);
  await writeBudget(next, b2(4, 'second'));
  t.deepEqual(await answered('2024-02'), ['0.40', '2']);
  await activate(db, 'g1');
  t.deepEqual(await answered('2024-02'), ['0.30', '2']);
});

test('A month that does not exist is 400, a path that is no month path 404', async t => {
  for (const name of ['2024-13', '2024-00', '0000-01', '24-01', 'a%2Fb', '%ff', '2024-01%20']) {
    const { status, body } = await month(name);
    t.is(status, 400, name);
    t.is(body.error.param, 'month', name);
    t.is(holdsTo('error', body), null);
  }
  for (const name of ['', '2024-01/', 'a/b']) t.is((await month(name)).status, 404, name);
});
