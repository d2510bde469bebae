// `import ynab|actual FILE` into a real log and read model: the answers of the API afterwards, and refusals.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnfinishedError } from '../../src/process/errors.ts';
import { test } from '../helpers/file-test.ts';
import { makeZip } from '../helpers/make-zip.ts';
import { useMongo } from '../helpers/mongo.ts';
import { actualFiles, FINANCES } from '../import/actual-files.ts';
import { PLAN_LINES, planFile, REGISTER_ROWS, registerFile } from '../import/ynab-files.ts';
import { importRunner } from './import-runner.ts';
import { importScene, NOW } from './import-scene.ts';

const mongo = useMongo(test);

const YNAB = [registerFile(REGISTER_ROWS), planFile(PLAN_LINES)];

test('a YNAB zip becomes answers with the figures of the export, and is imported only once', async t => {
  const scene = await importScene(t, mongo);
  const path = await scene.zip(YNAB);
  const command = ['ynab', path, '--user', 'anna', '--currency', 'USD'];
  const printed = await scene.run(...command);
  const [, budgetId = ''] =
    / as budget (ynab-[0-9a-f]{32}) of space space-/.exec(printed[0] ?? '') ?? [];
  t.regex(printed[0] ?? '', /^Imported "Home" as budget/);
  t.deepEqual(printed.slice(1, 3), [
    '  3 accounts, 4 groups, 4 categories, 5 payees, 1 label',
    '  11 transactions, dated 2026-01-01 to 2026-02-20; 4 assigned amounts',
  ]);
  t.true(printed.includes('  appended 36'));
  t.is(printed.at(-1), `Next        npx budgeting token issue --user anna --budget ${budgetId}`);
  const ask = await scene.reader('anna');
  const { budgets } = await ask('/budgets');
  t.like(budgets[0], { id: budgetId, name: 'Home', currency: 'USD', createdAt: NOW.toISOString() });
  const { accounts } = await ask(`/accounts?budget_id=${budgetId}`);
  t.deepEqual(
    accounts.map(({ name, balance }: { name: string; balance: string }) => [name, balance]),
    [
      ['House', '150540.00'],
      ['Checking', '2285.00'],
      ['Savings', '250.00'],
    ],
  );
  t.like(await ask(`/months/2026-01?budget_id=${budgetId}`), {
    readyToAssign: '1180.00',
    assigned: '820.00',
    overspentTotal: '45.00',
  });
  const { transactions } = await ask(`/transactions?budget_id=${budgetId}&search=bread`);
  t.like(transactions[0], { payeeName: 'Market "Hall"', categoryName: 'Food', amount: '-60.00' });
  const again = `This file was imported already, as budget ${budgetId}; nothing was appended (--into brings it up to date with a later export)`;
  await scene.refused(command, again);
  await scene.refused([...command, '--date-format', 'MDY', '--off-budget', 'House'], again);
  await scene.refused([...command, '--name', 'Another'], again);
});

test('an import beside a generation of another version is done, without its balances', async t => {
  const scene = await importScene(t, mongo);
  const noted: object[] = [];
  const run = importRunner(scene, () => NOW, { isReadable: false, noted });
  const path = await scene.zip(YNAB);
  const printed = await run(['ynab', path, '--user', 'anna', '--currency', 'USD']);
  t.true(printed.includes('  appended 36'));
  t.regex(printed.at(-1) ?? '', /^Next {8}npx budgeting token issue/);
  const [, budget] = / as budget (\S+) of/.exec(printed[0] ?? '') ?? [];
  t.deepEqual(noted, [{ budget }], 'the audit trail names the budget');
});

test('an import that no projector applies is not done', async t => {
  const scene = await importScene(t, mongo);
  const run = importRunner(scene, () => NOW, { isProjected: false });
  const line = ['ynab', await scene.zip(YNAB), '--user', 'anna', '--currency', 'USD'];
  const error = await t.throwsAsync(run(line), { instanceOf: UnfinishedError });
  t.is(error?.message, 'None is applied');
});

test('an Actual zip goes into an existing space, and into nothing else', async t => {
  const scene = await importScene(t, mongo);
  const { database, metadata } = await actualFiles(FINANCES);
  await scene.run('ynab', await scene.zip(YNAB), '--user', 'anna', '--currency', 'USD');
  const ask = await scene.reader('anna');
  const [{ spaceId }] = (await ask('/budgets')).budgets;
  const path = await scene.zip([database, metadata]);
  await scene.run('actual', path, '--space', spaceId, '--name', 'Money');
  const { budgets } = await ask('/budgets');
  t.like(budgets[1], { name: 'Money', currency: 'CHF', spaceId });
  const month = await ask(`/months/2026-02?budget_id=${budgets[1].id}`);
  t.like(month, { readyToAssign: '855.00', heldForNextMonth: '1000.00' });
  await scene.refused(['actual', path, '--space', spaceId], /^This file was imported already/);
  const [budget] = budgets;
  for (const space of ['nowhere', budget.id]) {
    const expected = `Expected --space with the id of a space that there is, got ${space}`;
    await scene.refused(['actual', path, '--space', space], expected);
  }
});

test('values that the catalogue refuses are reported with their place in the file', async t => {
  const scene = await importScene(t, mongo);
  const register = registerFile(
    REGISTER_ROWS.map(([account, flag, date, payee, group, category, , ...rest], index) => [
      account,
      flag,
      date,
      index === 4 ? 'x'.repeat(201) : payee,
      group,
      category,
      index === 7 ? 'y'.repeat(1001) : '',
      ...rest,
    ]),
  );
  const path = await scene.zip([register, planFile(PLAN_LINES)]);
  const lines = [
    `${register.name} line 6: Expected the name to have at most 200 characters, got 201`,
    `${register.name} line 9: Expected the memo to have at most 1000 characters, got 1001`,
    'Nothing was appended',
  ];
  await scene.refused(['ynab', path, '--user', 'anna', '--currency', 'USD'], lines.join('\n'));
  await scene.refused(
    ['ynab', await scene.zip(YNAB), '--user', 'a b', '--currency', 'EURO'],
    /^--user: Expected the user to be an id of .*\nthe new budget: Expected the currency to be/,
  );
});

test('missing files, too many files and other archives are refused; a folder works like a zip', async t => {
  const scene = await importScene(t, mongo);
  const options = ['--user', 'anna', '--currency', 'USD'];
  const ynab = (path: string) => ['ynab', path, ...options];
  await scene.refused(ynab(join(scene.folder, 'none')), /^Cannot read .*none: ENOENT/);
  const text = join(scene.folder, 'text');
  await writeFile(text, 'no zip');
  await scene.refused(
    ynab(text),
    /text: Not a zip archive: End of central directory record signature not found/,
  );
  await scene.refused(
    ynab(await scene.zip(YNAB.slice(1))),
    /Expected one file named … Register.csv, got 0/,
  );
  const twice = YNAB.map(({ bytes }) => ({ name: 'b - Plan.csv', bytes }));
  await scene.refused(
    ynab(await scene.zip([...YNAB, ...twice])),
    /named … Plan.csv or … Budget.csv, got 3/,
  );
  const bomb = makeZip([{ name: 'db.sqlite', bytes: Buffer.alloc(1000), size: 2 ** 31 }]);
  await writeFile(text, bomb);
  await scene.refused(
    ['actual', text, ...options],
    /Expected db.sqlite to have at most 268435456 bytes, got 2147483648/,
  );
  const folder = join(scene.folder, 'unpacked');
  await mkdir(folder);
  for (const { name, bytes } of YNAB) await writeFile(join(folder, name), bytes);
  t.regex((await scene.run(...ynab(folder)))[0] ?? '', /^Imported "Home"/);
  await scene.refused(ynab(await scene.zip(YNAB)), /^This file was imported already/);
});

test('import reports errors in its arguments', async t => {
  const scene = await importScene(t, mongo);
  const path = await scene.zip(YNAB);
  const cases: [string[], RegExp][] = [
    [[], /^Expected import ynab or actual, got nothing\nUsage:\nbudgeting import ynab FILE/],
    [['mint', path], /^Expected import ynab or actual, got mint/],
    [['ynab'], /^Expected one FILE, got 0/],
    [['ynab', path], /^Expected --user, --space or --into, got none of them/],
    [['ynab', path, '--into', 'b', '--user', 'a'], /^Expected --into without --user and --space/],
    [['ynab', path, '--user', 'a', '--type', 'Bank'], /^Expected --type ACCOUNT=TYPE, got Bank/],
    [
      ['ynab', path, '--user', 'a', '--type', 'Bank=cash', '--type', 'Bank=savings'],
      /^Expected one --type for account Bank, got several/,
    ],
    [['actual', path, '--user', 'a', '--accept-differences'], /--accept-differences/],
    [['ynab', path, '--user', 'a', '--user', 'b'], /^Expected --user once, got it 2 times/],
    [
      ['ynab', path, '--user', 'a'],
      /^Expected --currency with an ISO 4217 code, got none, and none in the file/,
    ],
    [
      ['ynab', path, '--user', 'a', '--date-format', 'YDM'],
      /^Expected --date-format DMY or MDY, got YDM/,
    ],
    [['actual', path, '--user', 'a', '--date-format', 'DMY'], /--date-format/],
  ];
  for (const [args, message] of cases) await scene.refused(args, message);
});
