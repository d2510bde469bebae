// The recipes of docs/recipes.md about transactions, run as they are printed against `npm start`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parse as parseCsv } from 'csv-parse/sync';
import { hundredthsOf } from '../model/money-text.ts';
import { recipeOf } from './recipe-page.ts';
import { transactionsFrom } from './recipe-questions.ts';
import { useScene } from './use-scene.ts';

const { programTest: recipeTest, scene } = await useScene(test);

recipeTest('curl fetches all pages of transactions as one CSV file', async t => {
  const follower = await scene().follow(t, recipeOf('Transactions in a spreadsheet'));
  const before = scene().asked.length;
  t.deepEqual(await follower.run('transactions.sh'), { code: 0, out: '', err: '' });
  t.true(scene().asked.length > before + 1);
  const text = await readFile(join(follower.folder, 'transactions.csv'), 'utf8');
  const rows: Record<string, string>[] = parseCsv(text, { columns: true });
  const expected = await transactionsFrom(scene(), { start_date: '2026-01-01' });
  t.is(rows.length, expected.length);
  const asCell = (value: unknown) => (value === null ? '' : String(value));
  for (const [index, row] of rows.entries()) {
    const { labels = [], ...others } = expected[index] ?? {};
    const cells = Object.entries(others).map(([name, value]) => [name, asCell(value)]);
    const names = labels.map(({ name }) => name).join('; ');
    t.deepEqual(row, { ...Object.fromEntries(cells), labels: names });
  }
});

recipeTest('curl and jq name the ten dearest purchases of a year', async t => {
  const follower = await scene().follow(t, recipeOf('The ten dearest purchases of a year'));
  const year = String(new Date().getFullYear() - 1);
  const { code, out, err } = await follower.run('dearest.sh', [year]);
  t.is(code, 0, err);
  const rows = await transactionsFrom(scene(), {
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
  });
  const expected = rows
    .filter(({ type }) => type === 'standard')
    .sort((a, b) => Number(hundredthsOf(a.amount) - hundredthsOf(b.amount)))
    .slice(0, 10)
    .map(({ date, amount, payeeName, memo }) => `${date}  ${amount}  ${payeeName ?? memo}\n`);
  t.is(expected.length, 10);
  t.is(out, expected.join(''));
});

recipeTest('JavaScript lists everything from one payee', async t => {
  const follower = await scene().follow(t, recipeOf('Everything from one payee'));
  const rows = await transactionsFrom(scene(), {});
  const counts = new Map<string, number>();
  for (const { payeeName } of rows) {
    if (payeeName !== null) counts.set(payeeName, (counts.get(payeeName) ?? 0) + 1);
  }
  const [name = ''] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const ran = await follower.run('payee.mjs', [name.toUpperCase()]);
  const expected = rows
    .filter(({ payeeName }) => payeeName === name)
    .map(({ date, amount, memo }) => `${date} ${amount.padStart(10)} ${memo}\n`);
  t.true(expected.length > 10);
  t.deepEqual(ran, { code: 0, out: expected.join(''), err: '' });
});
