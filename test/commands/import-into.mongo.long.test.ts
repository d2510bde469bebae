// `import --into`: a budget that an import made is brought up to date with a later export.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { actualFiles, FINANCES, type Rows } from '../import/actual-files.ts';
import { PLAN_LINES, planFile, REGISTER_ROWS, registerFile } from '../import/ynab-files.ts';
import { YNAB_JSON } from '../import/ynab-json.ts';
import { type ImportScene, importScene } from './import-scene.ts';

const mongo = useMongo(test);

const transactions = FINANCES.transactions ?? [];
/** The same finances after a month. Income that was held automatically is gone, so the amount held changes too. */
const LATER: Rows = {
  ...FINANCES,
  accounts: (FINANCES.accounts ?? []).map(one =>
    one.id === 'acc-cash' ? { ...one, closed: 1 } : one,
  ),
  payees: (FINANCES.payees ?? []).map(one =>
    one.id === 'p-market' ? { ...one, name: 'Market Hall' } : one,
  ),
  transactions: [
    ...transactions
      .filter(({ id }) => id !== 't11')
      .map(one => (one.id === 't3' ? { ...one, amount: -51_000 } : one)),
    { id: 't20', acct: 'acc-bank', category: 'c-food', amount: -4200, date: 20260301 },
  ],
  zero_budgets: [
    ...(FINANCES.zero_budgets ?? []),
    { id: '202603-c-rent', month: 202603, category: 'c-rent', amount: 60_000 },
  ],
};

async function actualZip(scene: ImportScene, rows: Rows): Promise<string> {
  const { database, metadata } = await actualFiles(rows);
  return scene.zip([database, metadata]);
}

function budgetIn(printed: readonly string[]): string {
  return / budget (\S+)/.exec(printed[0] ?? '')?.[1] ?? '';
}

/** Returns what the API serves of a budget, without what only tells two imports apart. */
async function servedOf(t: ExecutionContext, scene: ImportScene, budget: string) {
  const ask = await scene.reader('anna');
  const paths = [
    'accounts',
    'categories',
    'payees',
    'transactions',
    'months/2026-01',
    'months/2026-02',
    'months/2026-03',
  ];
  const bodies: unknown[] = [];
  for (const path of paths) bodies.push(await ask(`/${path}?budget_id=${budget}`));
  t.is(bodies.length, paths.length);
  return JSON.parse(
    JSON.stringify(bodies, (key, value) =>
      ['createdAt', 'labels', 'budgetId'].includes(key) ? undefined : value,
    ),
  );
}

test('a later export of Actual, brought in, is served as a new import of it', async t => {
  const scene = await importScene(t, mongo);
  const first = await scene.run('actual', await actualZip(scene, FINANCES), '--user', 'anna');
  const budget = budgetIn(first.slice(0, 1).map(line => line.replace(/^Imported .* as/, 'of')));
  const later = await actualZip(scene, LATER);
  const before = (await scene.texts()).length;
  const dry = await scene.run('actual', later, '--into', budget, '--dry-run');
  t.is(dry[0], '7 events would be appended; nothing was');
  t.true(dry.includes('  1 × payee.renamed'));
  t.is((await scene.texts()).length, before);
  const printed = await scene.run('actual', later, '--into', budget);
  t.is(printed[0], `Brought budget ${budget} up to date`);
  t.true(printed.includes('  appended 7'));
  t.deepEqual(await scene.run('actual', later, '--into', budget), [
    `Budget ${budget} is up to date: nothing was appended`,
  ]);
  const alone = await scene.run('actual', later, '--user', 'anna', '--name', 'Alone');
  const other = budgetIn(alone.slice(0, 1).map(line => line.replace(/^Imported .* as/, 'of')));
  t.not(other, budget);
  t.deepEqual(await servedOf(t, scene, budget), await servedOf(t, scene, other));
});

test('an export of YNAB is brought into the budget that an earlier one made', async t => {
  const scene = await importScene(t, mongo);
  const zip = (rows: typeof REGISTER_ROWS) => scene.zip([registerFile(rows), planFile(PLAN_LINES)]);
  const options = ['--user', 'anna', '--currency', 'USD'];
  const first = await scene.run('ynab', await zip(REGISTER_ROWS), ...options);
  const budget = / as budget (\S+) /.exec(first[0] ?? '')?.[1] ?? '';
  const rows = REGISTER_ROWS.slice(1);
  const refused = ['ynab', await zip(rows), '--into', budget];
  await scene.refused([...refused, '--currency', 'EUR'], /^Expected a file in USD, as budget/);
  const printed = await scene.run(...refused, '--accept-differences');
  t.is(printed[0], `Brought budget ${budget} up to date`);
  const ask = await scene.reader('anna');
  const { transactions } = await ask(`/transactions?budget_id=${budget}`);
  t.is(transactions.length, rows.length);
});

test("YNAB's JSON has ids, types, closed accounts and notes", async t => {
  const scene = await importScene(t, mongo);
  const path = join(scene.folder, 'budget.json');
  await writeFile(path, JSON.stringify({ data: { budget: YNAB_JSON } }));
  const printed = await scene.run('ynab', path, '--user', 'anna', '--space', 'Family');
  const budget = / as budget (\S+) /.exec(printed[0] ?? '')?.[1] ?? '';
  t.true(printed.some(line => line.includes('1 scheduled transaction without a counterpart')));
  t.deepEqual(printed.slice(printed.indexOf('Balances'), -1), [
    'Balances',
    '  Bank    870.00',
    '  Visa    -50.00',
    '  House  1000.00',
    '  Old       0.00',
  ]);
  const ask = await scene.reader('anna');
  const { budgets } = await ask('/budgets');
  t.like(budgets[0], { spaceName: 'Family', currency: 'EUR' });
  const { accounts } = await ask(`/accounts?budget_id=${budget}`);
  t.like(
    accounts.find(({ id }: { id: string }) => id === 'a-old'),
    { closed: true },
  );
  const [shop, ...others] = YNAB_JSON.payees;
  const changed = { ...YNAB_JSON, payees: [{ ...shop, name: 'New shop' }, ...others] };
  await writeFile(path, JSON.stringify(changed));
  t.true((await scene.run('ynab', path, '--into', budget)).includes('  appended 1'));
});

test('a file whose own sums disagree is refused unless that is accepted', async t => {
  const scene = await importScene(t, mongo);
  const path = join(scene.folder, 'budget.json');
  const [first, ...others] = YNAB_JSON.accounts;
  const wrong = { ...YNAB_JSON, accounts: [{ ...first, balance: 1 }, ...others] };
  await writeFile(path, JSON.stringify(wrong));
  await scene.refused(
    ['ynab', path, '--user', 'anna'],
    /^The balance of "Bank" is 0.00, but its rows add up to 870.00\nNothing was appended; --accept-differences/,
  );
  const printed = await scene.run('ynab', path, '--user', 'anna', '--accept-differences');
  t.true(printed.includes('  The balance of "Bank" is 0.00, but its rows add up to 870.00'));
});

test('types are given by name, and unknown ones are refused', async t => {
  const scene = await importScene(t, mongo);
  const path = await actualZip(scene, FINANCES);
  const types = (...all: string[]) => all.flatMap(type => ['--type', type]);
  const command = ['actual', path, '--user', 'anna'];
  await scene.refused(
    [...command, ...types('Nowhere=savings', 'Bank=nothing')],
    /^--type: Expected one of "Cash", "Bank", .*, got "Nowhere"\n--type: Expected one of checking, .*, got "nothing"/,
  );
  await scene.run(...command, ...types('Bank=savings'));
  const ask = await scene.reader('anna');
  const [{ id }] = (await ask('/budgets')).budgets;
  const { accounts } = await ask(`/accounts?budget_id=${id}`);
  t.like(
    accounts.find(({ name }: { name: string }) => name === 'Bank'),
    { type: 'savings' },
  );
});

test("a user's space is used again by its name", async t => {
  const scene = await importScene(t, mongo);
  const path = await actualZip(scene, FINANCES);
  await scene.run('actual', path, '--user', 'anna', '--space', 'Family');
  const later = await actualZip(scene, LATER);
  await scene.run('actual', later, '--user', 'anna', '--space', 'Family');
  await scene.run('actual', later, '--user', 'anna');
  const ask = await scene.reader('anna');
  const { budgets } = await ask('/budgets');
  const names = budgets.map(({ spaceName }: { spaceName: string }) => spaceName).sort();
  t.deepEqual(names, ['Family', 'Family', 'My Finances']);
  t.is(new Set(budgets.map(({ spaceId }: { spaceId: string }) => spaceId)).size, 2);
});

test('only a budget can be brought up to date', async t => {
  const scene = await importScene(t, mongo);
  const path = await actualZip(scene, FINANCES);
  await scene.run('actual', path, '--user', 'anna');
  const ask = await scene.reader('anna');
  const [{ spaceId }] = (await ask('/budgets')).budgets;
  for (const id of ['nowhere', spaceId]) {
    await scene.refused(
      ['actual', path, '--into', id],
      new RegExp(`^Expected .* budget, got ${id}`),
    );
  }
});
