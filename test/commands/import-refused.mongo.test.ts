// `import` refuses a file whose events would park the new budget, and appends nothing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { YNAB_JSON } from '../import/ynab-json.ts';
import { type ImportScene, importScene } from './import-scene.ts';

const mongo = useMongo(test);

const [start, debt, house, split, pay, paid] = YNAB_JSON.transactions;
const [bank, ...accounts] = YNAB_JSON.accounts;

async function jsonFile(scene: ImportScene, change: object): Promise<string> {
  const path = join(scene.folder, 'budget.json');
  await writeFile(path, JSON.stringify({ ...YNAB_JSON, ...change }));
  return path;
}

async function refuses(scene: ImportScene, path: string, message: string): Promise<void> {
  const command = ['ynab', path, '--user', 'anna', '--accept-differences'];
  await scene.refused(command, message);
  // A dry run says what the import would say.
  await scene.refused([...command, '--dry-run'], message);
}

test('a row of a deleted account and a row twice are refused, with their places', async t => {
  const scene = await importScene(t, mongo);
  const transactions = [start, debt, house, split, { ...pay, account_id: 'a-gone' }, paid];
  await refuses(
    scene,
    await jsonFile(scene, { transactions }),
    'transaction t-pay: Expected the id of an account that is not deleted, got "a-gone"\nNothing was imported',
  );
  await refuses(
    scene,
    await jsonFile(scene, { transactions: [start, start, debt, house, house] }),
    'transaction t-start: The transaction t-start is there already\ntransaction t-house: The transaction t-house is there already\nNothing was imported',
  );
  await refuses(
    scene,
    await jsonFile(scene, { accounts: [bank, bank, ...accounts] }),
    'account a-bank: The account a-bank is there already\nNothing was imported',
  );
  t.deepEqual(await scene.texts(), []);
});

test('many problems are counted', async t => {
  const scene = await importScene(t, mongo);
  const path = await jsonFile(scene, { transactions: Array.from({ length: 60 }, () => start) });
  const line = 'transaction t-start: The transaction t-start is there already';
  const lines = [...Array.from({ length: 50 }, () => line), 'and 9 more', 'Nothing was imported'];
  await refuses(scene, path, lines.join('\n'));
});

test('a dry run refuses what the schemas refuse', async t => {
  const scene = await importScene(t, mongo);
  const path = await jsonFile(scene, { name: 'x'.repeat(201) });
  await scene.refused(
    ['ynab', path, '--user', 'anna', '--dry-run'],
    /^the new space: Expected the name to have at most 200 characters, got 201\nthe new budget: .*\nNothing was appended$/,
  );
});
