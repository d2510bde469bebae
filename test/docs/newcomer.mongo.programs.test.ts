// A newcomer with README and docs alone: `npm start`, then every command as it is printed. Only the token and the address
// are those that npm start printed.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { missingPrograms } from '../../scripts/test/programs.ts';
import { npmStart, type Started } from '../commands/started.ts';
import {
  pagesWithBlocks,
  type Ran,
  runBlock,
  type ShellBlock,
  shellBlocks,
} from './shell-blocks.ts';

const MANY = '1000000';
const ADDRESS = 'http://127.0.0.1:3000';
const TOKEN = 'service_pat_…';
const canRun = process.env.CI === 'true' || (await missingPrograms()).length === 0;
const docTest = canRun ? test.serial : test.serial.skip;

const all = pagesWithBlocks().flatMap(shellBlocks);

interface Newcomer {
  readonly printed: string;
  readonly origin: string;
  readonly token: string;
  run(block: Pick<ShellBlock, 'code'>): Promise<Ran>;
}

let started: Started | undefined;
let newcomer: Newcomer;
let folder = '';

test.before(async () => {
  if (!canRun) return;
  folder = await mkdtemp(join(tmpdir(), 'budgeting-newcomer-'));
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  for (const path of [home, bin]) await mkdir(path);
  // A refusal of the API fails the command. An operator has `budgeting` on the PATH, as in the image.
  await writeFile(join(home, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
  const cli = `#!/bin/sh\nexec '${process.execPath}' '${join(process.cwd(), 'dist/src/cli.js')}' "$@"\n`;
  await writeFile(join(bin, 'budgeting'), cli, { mode: 0o700 });
  const limits = {
    RATE_LIMIT_IP_PER_MINUTE: MANY,
    RATE_LIMIT_USER_PER_MINUTE: MANY,
    RATE_LIMIT_TOKEN_READS_PER_MINUTE: MANY,
  };
  const own = { DATA_DIR: join(folder, 'data'), PORT: '0', MANAGEMENT_PORT: '0', LOG_LEVEL: '' };
  started = npmStart([], { ...limits, ...own });
  const printed = await started.printed(/goes on where it stopped/);
  const origin = /Read API\s+(\S+)\/api\/v1/.exec(printed)?.[1] ?? '';
  const token = (await readFile(/Token +in (\S+)/.exec(printed)?.[1] ?? '', 'utf8')).trim();
  const path = `${bin}:${process.env.PATH}`;
  const env = {
    ...process.env,
    ...own,
    HOME: home,
    PATH: path,
    TOKEN: token,
    API: `${origin}/api/v1`,
  };
  newcomer = {
    printed,
    origin,
    token,
    run({ code }) {
      // npm and npx work in the checkout; everything else may write files.
      const cwd = /\bnp[mx] /.test(code) ? process.cwd() : home;
      return runBlock(code.replaceAll(ADDRESS, origin).replaceAll(TOKEN, token), cwd, env);
    },
  };
});
test.after.always(async () => {
  started?.child.kill('SIGTERM');
  await started?.ended;
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

docTest('README leads from npm start to what is left in Groceries', async t => {
  const [start, , reading] = all.filter(({ page }) => page === 'README.md');
  t.is(start?.code, 'npm ci && npm start\n');
  const [, line = ''] = /^Try +(curl .+)$/m.exec(newcomer.printed) ?? [];
  const tried = await newcomer.run({ code: line });
  t.is(tried.code, 0, tried.err);
  t.true(tried.out.includes('"id":"household"'));

  const read = await newcomer.run(reading ?? { code: 'exit 9' });
  t.is(read.code, 0, read.err);
  const left = [...read.out.matchAll(/"available":"(-?\d+\.\d\d)"/g)].map(([, amount]) => amount);
  t.deepEqual(left, [await leftInGroceries()]);
});

/** From the envelopes of all categories, of which one is called Groceries. */
async function leftInGroceries(): Promise<string | undefined> {
  const path = '/category-months?budget_id=household&start_month=current&end_month=current';
  const headers = { authorization: `Bearer ${newcomer.token}` };
  const response = await fetch(`${newcomer.origin}/api/v1${path}`, { headers });
  type Envelope = { categoryName: string; available: string };
  const { months } = (await response.json()) as { months: { categories: Envelope[] }[] };
  return months[0]?.categories.find(one => one.categoryName === 'Groceries')?.available;
}

/** The names of the fields, of objects in lists and in fields too; values and empty lists do not count. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

for (const block of all.filter(({ comment }) => comment === null)) {
  const { page, line, code, output } = block;
  docTest(`${page}, line ${line}: ${code.trim().split('\n').at(-1)?.slice(0, 60)}`, async t => {
    const ran = await newcomer.run(block);
    t.is(ran.code, 0, `${code}${ran.out.slice(-500)}${ran.err}`);
    if (page !== 'docs/api.md' || !output?.startsWith('{"')) return;
    const shown = JSON.parse(output);
    // The answer of the last command; nothing is printed between two.
    const begin = `{"${Object.keys(shown)[0]}"`;
    const answered = JSON.parse(ran.out.slice(ran.out.lastIndexOf(begin)));
    const [expected, got] = [shapeOf(shown), shapeOf(answered)] as Record<string, unknown>[];
    t.deepEqual(Object.keys(got ?? {}), Object.keys(expected ?? {}));
    for (const [name, one] of Object.entries(got ?? {})) {
      const example = expected?.[name];
      const hasBoth = [one, example].every(list => Array.isArray(list) && list.length > 0);
      if (hasBoth) t.deepEqual(one, example, name);
    }
  });
}
