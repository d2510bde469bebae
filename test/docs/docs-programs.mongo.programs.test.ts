// Every program of the page /docs, run as it is printed against `npm start`, with a token of just the endpoint's scopes.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { ROUTES, SCOPES } from '../../schemas/generated/api.ts';
import { listedCopy } from '../system/sync-client.ts';
import { type CodeBlock, codeBlocksOf } from './docs-programs.ts';
import { purchase, transactionsFrom } from './recipe-questions.ts';
import { BUDGET, type Follower, type Ran } from './recipe-scene.ts';
import { useScene } from './use-scene.ts';

/** The page's languages as names of files. */
const EXTENSIONS: Readonly<Record<string, string>> = { sh: 'sh', js: 'mjs', python: 'py' };

const { canRun, programTest, scene } = await useScene(test);
let blocks: readonly CodeBlock[] = [];
let origin = '';
const ran = new Set<string>();

test.serial.before(async () => {
  if (!canRun) return;
  const page = await (await fetch(`${scene().origin}/docs`)).text();
  origin = /https?:\/\/[^/<]+/.exec(page)?.[0] ?? '';
  blocks = codeBlocksOf(page).filter(({ language }) => language in EXTENSIONS);
});

interface Runner {
  readonly follower: Follower;
  run(id: string, env?: NodeJS.ProcessEnv): Promise<Ran>;
}

/** Returns somebody who runs blocks by their ids. `change` is applied to their code. */
async function runner(
  t: ExecutionContext,
  scopes: readonly string[],
  change = (code: string) => code,
): Promise<Runner> {
  const recipe = { title: 'The page', scopes, blocks: blocks.map(asFile) };
  const follower = await scene().follow(t, recipe);
  function asFile({ id, language, code }: CodeBlock) {
    return { language, code: change(code), file: `${id}.${EXTENSIONS[language]}` };
  }
  return {
    follower,
    async run(id, env = {}) {
      const block = blocks.find(one => one.id === id);
      if (block === undefined) throw new Error(`Expected a block ${id} on the page, got none`);
      ran.add(id);
      return await follower.run(asFile(block).file, [], env);
    },
  };
}

/** Returns what a program printed. */
async function printed(t: ExecutionContext, work: Promise<Ran>): Promise<string> {
  const { code, out, err } = await work;
  t.is(code, 0, err);
  return out;
}

programTest('each endpoint answers its curl line, JavaScript and Python alike', async t => {
  t.regex(origin, /^http:\/\/127\.0\.0\.1:\d+$/);
  const open = { path: '/openapi.json', scopes: ['budgets:read'] };
  const whole = ROUTES.filter(({ stream }) => stream !== true);
  for (const { path, scopes } of [...whole, open]) {
    const { run } = await runner(t, scopes);
    const anchor = `get${path.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}`;
    const answers = await Promise.all(
      ['sh', 'js', 'python'].map(async language =>
        JSON.parse(await printed(t, run(`${anchor}-${language}`))),
      ),
    );
    t.false('error' in answers[0], path);
    // The labels of a single transaction may be none.
    const lists = 'id' in answers[0] ? [] : Object.values(answers[0]).filter(Array.isArray);
    t.true(lists.length === 0 || lists.some(list => list.length > 0), `${path} answers nothing`);
    t.deepEqual(answers[1], answers[0], path);
    t.deepEqual(answers[2], answers[0], path);
  }
});

programTest("the guide's requests answer what it says", async t => {
  const { run } = await runner(t, []);
  const ids = ['guide-first', 'guide-first-js', 'guide-first-python'];
  for (const id of ids) {
    const { budgets } = JSON.parse(await printed(t, run(id)));
    t.true(
      budgets.some((budget: { id: string }) => budget.id === BUDGET),
      id,
    );
  }
  const requests = { accounts: 'accounts', paging: 'transactions', filters: 'transactions' };
  const others = { name: 'payees', etag: 'payees', wait: 'accounts', sync: 'transactions' };
  for (const [name, list] of Object.entries({ ...requests, ...others })) {
    const answer = JSON.parse(await printed(t, run(`guide-${name}`)));
    t.true(answer[list]?.length > 0, name);
  }
  for (const id of ['guide-sums', 'guide-sums-js', 'guide-sums-python']) {
    const { sums } = JSON.parse(await printed(t, run(id)));
    t.true(sums.length > 0, id);
  }
});

programTest('the loops print every transaction, and wait as long as the answer says', async t => {
  const expected = (await transactionsFrom(scene(), {})).length;
  t.true(expected > 2000);
  const asPrinted = await runner(t, ['transactions:read']);
  const refused = await runner(t, ['transactions:read'], code =>
    code.replaceAll(origin, scene().origin),
  );
  const wait = { 'retry-after': '1' };
  for (const id of ['guide-paging-js', 'guide-paging-python']) {
    const out = await printed(t, asPrinted.run(id));
    t.is(out.trimEnd().split('\n').length, expected, id);
    t.regex(out, /^\d{4}-\d\d-\d\d -?\d+\.\d\d /);
    scene().refusals.push(
      null,
      { status: 429, code: 'rate_limited', headers: wait },
      { status: 503, code: 'unavailable', headers: wait },
    );
    const fromMs = performance.now();
    t.is(await printed(t, refused.run(id)), out, id);
    t.true(performance.now() - fromMs >= 2000, id);
    const { code, err } = await asPrinted.run(id, { TOKEN: 'service_pat_wrong' });
    t.not(code, 0);
    t.regex(err, /invalid_token/);
  }
});

type Things = Readonly<Record<string, unknown>>;

/** Returns the lists of the API in the form of the copy. */
async function listedThings(): Promise<Things> {
  const listed = await listedCopy(path => scene().get(path), BUDGET);
  return Object.fromEntries(
    Object.entries(listed?.copy ?? {}).flatMap(([name, things]) => {
      const kind = name.replace(/ies$/, 'y').replace(/s$/, '');
      return Object.values(things).map(thing => [`${kind} ${thing.id}`, thing]);
    }),
  );
}

/** Returns the first keys whose things differ; a whole difference would be too long to read. */
function differing(copied: Things, listed: Things): string[] {
  const keys = [...new Set([...Object.keys(copied), ...Object.keys(listed)])];
  return keys.filter(key => !isDeepStrictEqual(copied[key], listed[key])).slice(0, 5);
}

for (const language of ['js', 'python']) {
  programTest(`a copy in a file stays in sync, in ${language}`, async t => {
    const scopes = SCOPES.filter(scope => !/^(budgets|months):/.test(scope));
    const { run, follower } = await runner(t, scopes);
    const file = join(follower.folder, 'household.json');
    const id = `guide-sync-${language}`;
    const copied = async () => JSON.parse(await readFile(file, 'utf8'));
    const inSync = async () => {
      await printed(t, run(id));
      t.deepEqual(differing((await copied()).things, await listedThings()), []);
    };
    await inSync();
    const [first] = await transactionsFrom(scene(), {});
    await scene().happen('transaction.deleted', { transactionId: first?.id ?? '' });
    await purchase(scene(), `test-${language}`, '-0.05');
    await inSync();
    t.false(`transaction ${first?.id}` in (await copied()).things);

    const other = await scene().read<{ cursor: string }>('/changes?budget_id=anna-first&limit=1');
    await writeFile(file, JSON.stringify({ cursor: other.cursor, things: { 'payee x': {} } }));
    await inSync();
    const refused = await run(id, { TOKEN: 'service_pat_wrong' });
    t.not(refused.code, 0);
    t.regex(refused.err, /invalid_token/);
  });
}

programTest('no program of the page was left out', t => {
  const line = 'guide-token';
  t.deepEqual(
    blocks.map(({ id }) => id).filter(id => !ran.has(id)),
    // Streams do not end: recipes-follow.mongo.browser.programs.test.ts runs programs that follow one.
    [line, 'get-events-sh', 'get-events-js', 'get-events-python'],
  );
  t.is(blocks.find(({ id }) => id === line)?.code, 'export TOKEN=service_pat_…');
});
