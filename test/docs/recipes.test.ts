// docs/recipes.md: what can be checked without the service. recipes.mongo.programs.test.ts runs its programs.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { SCOPES } from '../../schemas/generated/api.ts';
import { page, recipes } from './recipe-page.ts';

test('the tests know every block of the page: what is new on it must run as well', t => {
  const blocks = recipes.map(({ title, blocks: all }) => [
    title,
    ...all.map(({ language, file }) => file ?? language),
  ]);
  t.deepEqual(blocks, [
    ['Left in Groceries this month', 'sh', 'yaml', 'yaml'],
    ['Tell me when an envelope is overspent', 'overspent.sh', ''],
    ['Net worth over time', 'sh', 'net_worth.py'],
    ["A year's spending by category", 'spending.mjs'],
    ['The ten dearest purchases of a year', 'dearest.sh'],
    ['Everything from one payee', 'payee.mjs'],
    ['Where the money goes', 'sh', 'payees.py'],
    ['The year by group', 'groups.sh'],
    ['A copy in SQLite that stays in sync', 'sync.py', 'sql'],
    ['Follow what changes', 'follow.py', 'follow.mjs'],
    ['Home Assistant, told', 'told.py'],
    ['A page that redraws when told', 'html'],
    ['Transactions in a spreadsheet', 'transactions.sh', 'js'],
    ['A panel in Grafana', 'json'],
  ]);
});

test('every recipe names scopes that exist', t => {
  for (const { title, scopes } of recipes) {
    t.true(scopes.length > 0, title);
    for (const scope of scopes) t.true((SCOPES as readonly string[]).includes(scope), scope);
  }
});

test('the list of recipes leads to all of them, and every link to a file', async t => {
  const listed = [...page.matchAll(/^\| \[([^\]]+)\]\(#([^)]+)\)/gm)].map(([, title, id]) => [
    title,
    id,
  ]);
  const expected = recipes.map(({ title }) => [
    title,
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  ]);
  t.deepEqual(listed, expected);
  for (const [, path = ''] of page.matchAll(/\]\(([\w-]+\.md)/g)) {
    await t.notThrowsAsync(readFile(join(process.cwd(), 'docs', path)), path);
  }
});
