// The recipes of docs/recipes.md, run as they are printed against `npm start`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { hundredthsOf, moneyText } from '../model/money-text.ts';
import { listedCopy } from '../system/sync-client.ts';
import { restSensor, shownBy } from './home-assistant.ts';
import { pythonPackages } from './python-packages.ts';
import { codeOf, recipeOf } from './recipe-page.ts';
import {
  leftInGroceries,
  purchase,
  query,
  startPhone,
  transactionsFrom,
  utcDay,
} from './recipe-questions.ts';
import { BUDGET, type Ran } from './recipe-scene.ts';
import { copyIn, replaceLog, rowsOf } from './sqlite-copy.ts';
import { useScene } from './use-scene.ts';

const { programTest: recipeTest, scene } = await useScene(test);

/** Returns the requests that were made meanwhile. */
async function asked(work: () => Promise<unknown>) {
  const from = scene().asked.length;
  await work();
  return scene().asked.slice(from);
}

recipeTest('Home Assistant shows what is left in Groceries', async t => {
  const recipe = recipeOf('Left in Groceries this month');
  const follower = await scene().follow(t, recipe);
  const [secrets = '', configuration = ''] = recipe.blocks
    .filter(({ language }) => language === 'yaml')
    .map(({ code }) => code.replace('service_pat_…', follower.token));
  const sensor = restSensor(configuration, secrets);
  t.is(new URL(sensor.resource).origin, 'http://127.0.0.1:3000');
  t.is(await shownBy(sensor, scene().origin), await leftInGroceries(scene()));
  const stranger = { ...sensor, headers: { authorization: 'Bearer service_pat_wrong' } };
  t.is(await shownBy(stranger, scene().origin), null);

  const { out, err } = await follower.run('sh');
  t.true(out.split('\n').includes(`${sensor.params.category_id}  Groceries`), err);
});

recipeTest('a phone gets one message about overspent envelopes', async t => {
  const follower = await scene().follow(t, recipeOf('Tell me when an envelope is overspent'));
  const phone = await startPhone(t);
  const runRecipe = (env = {}) =>
    follower.run('overspent.sh', [], { NOTIFY: phone.address, ...env });

  await purchase(scene(), 'test-feast', '-98765.43');
  const left = await leftInGroceries(scene());
  t.regex(left, /^-/);
  phone.status = 500;
  t.not((await runRecipe()).code, 0, 'a message that fails');
  phone.status = 200;
  t.deepEqual(await runRecipe(), { code: 0, out: '', err: '' });
  t.is(phone.messages.length, 1);
  t.true(phone.messages[0]?.split('\n').includes(`Groceries: ${left}`), phone.messages[0]);
  const again = await asked(runRecipe);
  t.deepEqual(
    again.map(({ status }) => status),
    [304],
  );
  const refused = await runRecipe({ TOKEN: 'service_pat_wrong' });
  t.is(refused.code, 1);
  t.regex(refused.err, /invalid_token/);
  t.is(phone.messages.length, 1);

  await scene().happen('transaction.deleted', { transactionId: 'test-feast' });
  const after = await asked(runRecipe);
  t.deepEqual(
    after.map(({ status }) => status),
    [200],
  );
  t.false(phone.messages.slice(1).join('').includes(`Groceries: ${left}`));
});

recipeTest('Python prints and draws three years of net worth', async t => {
  const follower = await scene().follow(t, recipeOf('Net worth over time'));
  const PYTHONPATH = await pythonPackages();
  let ran: Ran | undefined;
  const [request, ...others] = await asked(async () => {
    ran = await follower.run('net_worth.py', [], { PYTHONPATH });
  });
  t.is(ran?.code, 0, ran?.err);
  t.deepEqual(others, []);
  const path = request?.path.replace('/api/v1', '') ?? '';
  const { points } = await scene().read<{ points: { date: string; total: string }[] }>(path);
  t.true(points.length >= 36);
  const expected = points.map(({ date, total }, index) => {
    const before = points[index - 1];
    return [
      date,
      total,
      before ? moneyText(hundredthsOf(total) - hundredthsOf(before.total)) : 'NaN',
    ];
  });
  const [first, last] = [points[0], points.at(-1)].map(point =>
    hundredthsOf(point?.total ?? '0.00'),
  );
  const altogether = moneyText((last ?? 0n) - (first ?? 0n));
  const lines = (ran?.out ?? '').trimEnd().split('\n');
  t.deepEqual(
    lines.map(line => line.trim().split(/ +/)),
    [['date', 'total', 'change'], ...expected, ['Altogether', altogether]],
  );
  const picture = await readFile(join(follower.folder, 'net-worth.png'));
  t.is(picture.subarray(1, 4).toString(), 'PNG');
  t.true(picture.readUInt32BE(16) > 600 && picture.length > 10_000, 'its width and size');
});

recipeTest("JavaScript adds up last year's spending", async t => {
  const follower = await scene().follow(t, recipeOf("A year's spending by category"));
  const year = String(new Date().getFullYear() - 1);
  const ran = await follower.run('spending.mjs');
  t.deepEqual(ran, await follower.run('spending.mjs', [year]));
  const printed = ran.out
    .trimEnd()
    .split('\n')
    .map(line => /^ *(-?\d+\.\d\d) (.+) \/ (.+)$/.exec(line) ?? []);

  type Group = { name: string; budgetMode: string; categories: { id: string; name: string }[] };
  const listed = query('/categories', { include_hidden: 'true' });
  const { categoryGroups } = await scene().read<{ categoryGroups: Group[] }>(listed);
  const { accounts } = await scene().read<{ accounts: { id: string; onBudget: boolean }[] }>(
    query('/accounts', {}),
  );
  const onBudget = new Set(accounts.filter(one => one.onBudget).map(({ id }) => id));
  const rows = await transactionsFrom(scene(), {
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
  });
  const expected = categoryGroups
    .filter(({ budgetMode }) => budgetMode === 'envelope')
    .flatMap(group =>
      group.categories.map(({ id, name }) => {
        const own = rows.filter(row => row.categoryId === id && onBudget.has(row.accountId));
        return {
          name: `${group.name} / ${name}`,
          cents: own.reduce((sum, row) => sum - hundredthsOf(row.amount), 0n),
        };
      }),
    )
    .filter(({ cents }) => cents !== 0n);
  t.true(expected.length > 20);
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  const got = printed.map(([, sum = '', group, name]) => ({
    name: `${group} / ${name}`,
    cents: hundredthsOf(sum),
  }));
  t.deepEqual([...got].sort(byName), expected.sort(byName));
  t.true(
    got.every(({ cents }, index) => index === 0 || cents <= (got[index - 1]?.cents ?? 0n)),
    'the most first',
  );
});

recipeTest(
  'a copy in SQLite follows changes and deletions, and begins again where it must',
  async t => {
    const recipe = recipeOf('A copy in SQLite that stays in sync');
    const follower = await scene().follow(t, recipe);
    const file = join(follower.folder, 'household.db');
    const sync = (expectedCode = 0) =>
      asked(async () => {
        const { code, err } = await follower.run('sync.py');
        t.is(code, expectedCode, err);
      });
    const sameAsListed = async () => {
      const listed = await listedCopy(path => scene().get(path), BUDGET);
      t.deepEqual(await copyIn(file), listed?.copy);
    };

    scene().refusals.push(null, null, { status: 500, code: 'internal_error' });
    t.is((await sync(1)).length, 3, 'stopped after two pages');
    const rest = await sync();
    t.true(rest.length > 0);
    t.true(
      rest.every(({ path }) => path.includes('cursor=')),
      'it goes on where it stopped',
    );
    await sameAsListed();

    const [first] = await transactionsFrom(scene(), {
      category_id: 'category-groceries',
      end_date: utcDay(),
    });
    await scene().happen('transaction.deleted', { transactionId: first?.id ?? '' });
    await scene().happen('payee.renamed', { payeeId: 'payee-optiker', name: 'Another name' });
    await purchase(scene(), 'test-sync', '-0.05');
    const wait = { 'retry-after': '1' };
    scene().refusals.push(
      { status: 429, code: 'rate_limited', headers: wait },
      { status: 503, code: 'unavailable', headers: wait },
    );
    const fromMs = performance.now();
    t.deepEqual(
      (await sync()).map(({ status }) => status),
      [429, 503, 200],
    );
    t.true(performance.now() - fromMs >= 2000, 'it waits as long as the answer says');
    await sameAsListed();
    const gone = await rowsOf(file, `SELECT id FROM things WHERE id = '${first?.id}'`);
    t.deepEqual(gone ?? [], []);
    t.is((await sync()).length, 1, 'nothing is new');

    const other = await scene().read<{ cursor: string }>('/changes?budget_id=anna-first&limit=1');
    await replaceLog(file, other.cursor);
    t.is((await sync())[0]?.status, 400);
    await sameAsListed();

    const sums = await rowsOf(file, codeOf(recipe, 'sql'));
    const rows = await transactionsFrom(scene(), {});
    t.true(sums.length > 20);
    for (const [category, total] of sums) {
      const own = rows.filter(({ categoryName }) => categoryName === category);
      t.is(
        hundredthsOf(String(total)),
        own.reduce((sum, { amount }) => sum + hundredthsOf(amount), 0n),
      );
    }
  },
);

interface Target {
  readonly url: string;
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string; readonly type: string }[];
}

recipeTest("Grafana's panel asks for what the API has", async t => {
  const recipe = recipeOf('A panel in Grafana');
  const { token } = await scene().follow(t, recipe);
  const { panels, __inputs: inputs } = JSON.parse(codeOf(recipe, 'json'));
  t.is(panels.length, 1);
  const [{ datasource, targets }] = panels;
  t.is(datasource.uid, `\${${inputs[0].name}}`);
  const days: Record<string, string> = { from: '2025-03-10', to: '2025-09-20' };
  for (const target of targets as Target[]) {
    const url = target.url
      .replace('http://127.0.0.1:3000', scene().origin)
      .replaceAll(/\$\{__(from|to):date:YYYY-MM-DD\}/g, (_, end: string) => days[end] ?? '');
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    t.is(response.status, 200, url);
    const body = (await response.json()) as Record<string, Record<string, string>[]>;
    const rows = body[target.root_selector] ?? [];
    t.is(rows.length, 28, 'Sundays and the last day');
    const FORMS: Record<string, RegExp> = {
      timestamp: /^\d{4}-\d\d-\d\d$/,
      number: /^-?\d+\.\d\d$/,
    };
    for (const row of rows) {
      for (const { selector, type } of target.columns)
        t.regex(row[selector] ?? '', FORMS[type] ?? /$^/);
    }
  }
});
