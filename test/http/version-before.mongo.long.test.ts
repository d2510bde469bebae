// A generation of an earlier version, which answers during an upgrade or after a rollback, gives the same answers.
import test from 'ava';
import { formatMoney } from '../../projections/money.ts';
import { createReadModel, type ReadModel } from '../helpers/read-model.ts';
import { account, budget, category, group, label, payee, row, space } from '../model/scene.ts';
import { asVersion, type Earlier } from '../store/as-version.ts';
import type { Answered } from './serve.ts';
import { useServed } from './use-served.ts';

let token: string;
/** Generations of earlier versions. */
const EARLIER = new Map<Earlier, ReadModel>();
const VERSIONS: readonly Earlier[] = [2, 4];

const NOW = new Date('2024-06-15T12:00:00Z');

/** Rows of 2023 and 2024, before and after today and the end of every month. */
const ROWS = Array.from({ length: 2400 }, (_, index) => ({
  id: `t${index}`,
  date: `${2023 + (index % 2)}-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 29)).padStart(2, '0')}`,
  accountId: index % 3 === 0 ? 'a2' : 'a1',
  amount: -index,
  cleared: index % 5 !== 0,
})).map(row => (row.date === '2023-02-29' ? { ...row, date: '2023-02-28' } : row));

const served = useServed(test, { name: 'http_version_before', clock: () => NOW }, async () => {
  token = await served.issue('anna', {}, NOW);
  for (const version of VERSIONS) {
    EARLIER.set(version, await createReadModel(served.db, version));
  }
  const accounts = ['a1', 'a2', 'a3'].map(id => account(id));
  const named = [
    ...[group('g1'), group('g2'), { type: 'category-group.hidden', data: { groupId: 'g2' } }],
    ...[category('c1', 'g1'), category('c2', 'g1'), category('c3', 'g2')],
    { type: 'category.hidden', data: { categoryId: 'c2' } },
    ...[payee('p1'), payee('p2'), label('l1')],
  ] as const;
  const entered = ROWS.map(({ id, amount, ...given }) =>
    row(id, { ...given, amount: formatMoney(amount) }),
  );
  for (const { project } of [served.model, ...EARLIER.values()]) {
    await project('s1', ...space(['anna']));
    await project('b1', budget('s1'), ...accounts, ...named, ...entered);
  }
  // Today's code stores the layout of today's version only.
  for (const [version, { store }] of EARLIER) await asVersion(version, store.collections);
});

/** Returns the answers of today's version and of an earlier one. */
async function fromBoth(
  path: string,
  version: Earlier,
): Promise<[own: Answered, before: Answered]> {
  await served.model.activate();
  const own = await served.api(path, { token });
  await EARLIER.get(version)?.activate();
  return [own, await served.api(path, { token })];
}

for (const version of VERSIONS) {
  test.serial(`Sums come when the upgrade from version ${version} is done`, async t => {
    const [own, before] = await fromBoth('/sums?budget_id=b1&group_by=account', version);
    t.deepEqual([own.status, before.status], [200, 503]);
    t.is(own.body.sums.length, 2);
    t.is(before.body.error.code, 'unavailable');
    t.is(before.body.error.message, 'The service is being upgraded: sums come when that is done');
    t.is(before.headers.get('retry-after'), '2');
  });

  test.serial(
    `Balances leave out rows of later days of this month, in version ${version}`,
    async t => {
      const [own, before] = await fromBoth('/accounts?budget_id=b1', version);
      t.is(before.status, 200);
      t.deepEqual(before.body, own.body);
      const upToday = ROWS.filter(
        ({ accountId, date }) => accountId === 'a1' && date <= '2024-06-15',
      );
      const sum = upToday.reduce((total, { amount }) => total + amount, 0);
      t.is(before.body.accounts[0].balance, (sum / 100).toFixed(2));
    },
  );
}

for (const path of [
  '/budgets',
  '/categories?budget_id=b1&include_hidden=true',
  '/payees?budget_id=b1',
  '/labels?budget_id=b1',
  '/months/2024-06?budget_id=b1',
  '/transactions?budget_id=b1',
]) {
  test.serial(`The same answer: ${path}`, async t => {
    for (const version of VERSIONS) {
      const [own, before] = await fromBoth(path, version);
      t.is(before.status, 200);
      t.deepEqual(before.body, own.body, `version ${version}`);
    }
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
      const [own, before] = await fromBoth(path, 2);
      t.is(before.status, 200, path);
      t.deepEqual(before.body, own.body, path);
    }
  });
}
