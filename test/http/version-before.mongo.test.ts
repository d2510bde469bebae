// Answers from a generation of the version before, as while an upgrade or a rollback is under way, are the same.
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { asVersion2 } from '../read-store/as-version-2.ts';
import {
  activate,
  createModel,
  type GivenRow,
  writeBudget,
  writeSpace,
} from '../read-store/write-model.ts';
import { type Answered, type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;

const NOW = new Date('2024-06-15T12:00:00Z');

/** Of 2023 and 2024, on either side of today and of every month's end. */
const ROWS: readonly GivenRow[] = Array.from({ length: 2400 }, (_, index) => ({
  id: `t${index}`,
  date: `${2023 + (index % 2)}-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 29)).padStart(2, '0')}`,
  accountId: index % 3 === 0 ? 'a2' : 'a1',
  amount: -index,
  cleared: index % 5 !== 0,
})).map(row => (row.date === '2023-02-29' ? { ...row, date: '2023-02-28' } : row));

test.before(async () => {
  served = await serve(mongo, 'http_version_before', { clock: () => NOW });
  token = await served.issue('anna', {}, NOW);
  const before = await createModel(served.db, 'g2');
  for (const model of [served.model, before]) {
    await writeSpace(model, 's1', ['anna']);
    await writeBudget(model, {
      id: 'b1',
      spaceId: 's1',
      accounts: [{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }],
      groups: [{ id: 'g1' }, { id: 'g2', hidden: true }],
      categories: [
        { id: 'c1', groupId: 'g1' },
        { id: 'c2', groupId: 'g1', hidden: true },
        { id: 'c3', groupId: 'g2' },
      ],
      payees: [{ id: 'p1' }, { id: 'p2' }],
      labels: [{ id: 'l1' }],
      rows: ROWS,
    });
  }
  await asVersion2(before);
});

mongo.beforeStop(async () => {
  await served?.stop();
});

async function fromBoth(path: string): Promise<[own: Answered, before: Answered]> {
  await activate(served.db, 'g1');
  const own = await served.api(path, { token });
  await activate(served.db, 'g2');
  return [own, await served.api(path, { token })];
}

test.serial('Balances leave out rows of later days of this month', async t => {
  const [own, before] = await fromBoth('/accounts?budget_id=b1');
  t.is(before.status, 200);
  t.deepEqual(before.body, own.body);
  const upToday = ROWS.filter(({ accountId, date }) => accountId === 'a1' && date <= '2024-06-15');
  const sum = upToday.reduce((total, { amount = 0 }) => total + amount, 0);
  t.is(before.body.accounts[0].balance, (sum / 100).toFixed(2));
});

for (const path of [
  '/budgets',
  '/categories?budget_id=b1&include_hidden=true',
  '/payees?budget_id=b1',
  '/labels?budget_id=b1',
  '/months/2024-06?budget_id=b1',
  '/transactions?budget_id=b1',
]) {
  test.serial(`The same answer: ${path}`, async t => {
    const [own, before] = await fromBoth(path);
    t.is(before.status, 200);
    t.deepEqual(before.body, own.body);
  });
}

for (const query of [
  '',
  '&account_id=a1',
  '&account_id=a2&end_date=2024-10-17',
  '&account_id=a1&start_date=2023-02-10&end_date=2024-06-20',
  '&account_id=a3',
  '&end_date=2024-10-17',
]) {
  test.serial(`Deep pages of /transactions: ${query || 'unfiltered'}`, async t => {
    for (const offset of [500, 501, 600, 777, 1300, 1599, 2399, 2400]) {
      const path = `/transactions?budget_id=b1${query}&limit=7&offset=${offset}`;
      const [own, before] = await fromBoth(path);
      t.is(before.status, 200, path);
      t.deepEqual(before.body, own.body, path);
    }
  });
}
