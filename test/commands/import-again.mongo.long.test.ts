// An import made again after `budget delete`, and into a space that is no longer called so.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { PLAN_LINES, planFile, REGISTER_ROWS, registerFile } from '../import/ynab-files.ts';
import { YNAB_JSON } from '../import/ynab-json.ts';
import { type ImportScene, importScene } from './import-scene.ts';

const mongo = useMongo(test);

const YNAB = [registerFile(REGISTER_ROWS), planFile(PLAN_LINES)];

/** Appends the next event of a stream, and projects it. */
async function add(
  scene: ImportScene,
  subject: string,
  { type, data = {} }: { readonly type: string; readonly data?: object },
) {
  const sequence = ((await scene.head(subject))?.sequence ?? 0) + 1;
  const time = '2026-04-02T10:00:00.000Z';
  const event = { ...{ specversion: '1.0', id: `e-${sequence}`, source: '/tests', type, subject } };
  const value = JSON.stringify({ ...event, time, sequence, schemaversion: 1, data });
  await scene.folderLog.append([{ key: subject, value }]);
  await scene.project();
}

function idsIn(printed: readonly string[]): readonly [budget: string, space: string] {
  const [, budget = '', space = ''] =
    / as budget (\S+) of space (\S+)/.exec(printed[0] ?? '') ?? [];
  return [budget, space];
}

test('a file whose budget was deleted is imported again, as another budget, once', async t => {
  const scene = await importScene(t, mongo);
  const zip = await scene.zip(YNAB);
  const command = ['ynab', zip, '--user', 'anna', '--currency', 'USD'];
  const ids: string[] = [];
  for (const type of ['cash', 'savings', 'checking']) {
    const [id] = idsIn(await scene.run(...command, '--type', `Savings=${type}`));
    ids.push(id);
    await scene.refused(command, /^This file was imported already, as budget/);
    if (ids.length < 3) await add(scene, id, { type: 'budget.deleted' });
  }
  t.is(new Set(ids).size, 3);
  const ask = await scene.reader('anna');
  const { accounts } = await ask(`/accounts?budget_id=${ids[2]}`);
  t.is(accounts.find(({ name }: { name: string }) => name === 'Savings').type, 'checking');
  t.deepEqual(
    (await ask('/budgets')).budgets.map(({ id }: { id: string }) => id),
    [ids[2]],
  );
});

test('no file brings a deleted budget or a space up to date', async t => {
  const scene = await importScene(t, mongo);
  const zip = await scene.zip(YNAB);
  const [budget, space] = idsIn(
    await scene.run('ynab', zip, '--user', 'anna', '--currency', 'USD'),
  );
  const json = join(scene.folder, 'budget.json');
  await writeFile(json, JSON.stringify(YNAB_JSON));
  await add(scene, budget, { type: 'budget.deleted' });
  for (const path of [zip, json]) {
    const deleted = `Expected the id of a budget, got ${budget}, which was deleted; an import without --into makes another one`;
    await scene.refused(['ynab', path, '--into', budget], deleted);
    await scene.refused(
      ['ynab', path, '--into', space],
      `Expected the id of a budget, got ${space}`,
    );
  }
});

test('a space that was renamed, or that the user left, makes room for another one of its name', async t => {
  const scene = await importScene(t, mongo);
  const zip = await scene.zip(YNAB);
  const into = ['--user', 'anna', '--space', 'Home'];
  const run = async (currency: string) =>
    idsIn(await scene.run('ynab', zip, ...into, '--currency', currency));
  const [, first] = await run('EUR');
  await add(scene, first, { type: 'space.renamed', data: { name: 'Old home' } });
  const [, second] = await run('USD');
  await add(scene, second, { type: 'space.member-removed', data: { userId: 'anna' } });
  const [, third] = await run('CHF');
  const [, again] = await run('GBP');
  t.is(new Set([first, second, third]).size, 3);
  t.is(again, third);
});

test('the JSON of YNAB says itself what two options say of its export', async t => {
  const scene = await importScene(t, mongo);
  const json = join(scene.folder, 'budget.json');
  await writeFile(json, JSON.stringify(YNAB_JSON));
  for (const [option, value] of [
    ['off-budget', 'Bank'],
    ['date-format', 'DMY'],
  ]) {
    const error = await t.throwsAsync(
      scene.run('ynab', json, '--user', 'anna', `--${option}`, `${value}`),
    );
    t.true(
      error?.message.startsWith(
        `Expected --${option} with a zip archive or a folder, got it with a .json file`,
      ),
      error?.message,
    );
  }
});
