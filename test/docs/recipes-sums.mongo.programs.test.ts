// The recipes of docs/recipes.md about sums, run as they are printed against `npm start`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { hundredthsOf, moneyText } from '../model/money-text.ts';
import { pythonPackages } from './python-packages.ts';
import { recipeOf } from './recipe-page.ts';
import { query, transactionsFrom, utcDay } from './recipe-questions.ts';
import { useScene } from './use-scene.ts';

const { programTest: recipeTest, scene } = await useScene(test);

interface Sum {
  readonly period: string | null;
  readonly name: string | null;
  readonly net: string;
  readonly count: number;
}

recipeTest('Python prints and draws the payees that cost most', async t => {
  const follower = await scene().follow(t, recipeOf('Where the money goes'));
  const PYTHONPATH = await pythonPackages();
  const ran = await follower.run('payees.py', [], { PYTHONPATH });
  t.is(ran.code, 0, ran.err);
  const today = utcDay();
  const start_date = `${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`;
  const asked = query('/sums', { group_by: 'payee', start_date, limit: '10' });
  const { sums } = await scene().read<{ sums: Sum[] }>(asked);
  t.is(sums.length, 10);
  const expected = sums.map(({ name, net, count }) => {
    const spent = moneyText(-hundredthsOf(net));
    return `${spent.padStart(12)} ${String(count).padStart(5)} ${name ?? '(no payee)'}`;
  });
  t.deepEqual(ran.out.trimEnd().split('\n'), expected);
  const picture = await readFile(join(follower.folder, 'payees.png'));
  t.is(picture.subarray(1, 4).toString(), 'PNG');
});

recipeTest('the shell lists what each group cost, month by month', async t => {
  const follower = await scene().follow(t, recipeOf('The year by group'));
  const year = String(new Date().getFullYear() - 1);
  const { code, out, err } = await follower.run('groups.sh', [year]);
  t.is(code, 0, err);
  const rows = await transactionsFrom(scene(), {
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
  });
  const lines = out
    .trimEnd()
    .split('\n')
    .map(line => line.split('\t'));
  t.true(lines.length > 40, out);
  const net = lines.reduce((sum, [, amount = '']) => sum + hundredthsOf(amount), 0n);
  const own = rows.filter(({ transferAccountId }) => transferAccountId === null);
  t.is(
    net,
    own.reduce((sum, { amount }) => sum + hundredthsOf(amount), 0n),
  );
  t.not((await follower.run('groups.sh')).code, 0);
});
