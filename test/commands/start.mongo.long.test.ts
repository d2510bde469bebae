// `npm start`: the whole system for a newcomer (rules/running.md#a-fresh-machine).
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { createCollections } from '../../src/store/collections.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { stallingSite } from '../embedded/fake-binaries.ts';
import { startOwnMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { askUntilAvailable } from '../http/ask-again.ts';
import { budgeting, type Started } from './started.ts';

const READY = /start goes on where it stopped/;
/** The promise is 10 s, of a machine that is not busy. What it would wait for otherwise takes 30 s or has no end. */
const SLOW_MS_MAX = 25_000;
const JUNK = `Bearer service_pat_${'Zq9'.repeat(12)}`;

async function dataFolder(t: ExecutionContext): Promise<string> {
  const folder = await temporaryFolder(t);
  return join(folder, 'data');
}

function start(
  t: ExecutionContext,
  folder: string,
  { args = [] }: { args?: string[] } = {},
): Started {
  // An empty variable counts as absent.
  const env = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: '', npm_lifecycle_event: 'start' };
  const started = budgeting(['start', ...args], env);
  t.teardown(async () => {
    started.child.kill('SIGTERM');
    await started.ended;
  });
  return started;
}

async function stop(started: Started): Promise<number | null> {
  started.child.kill('SIGTERM');
  return (await started.ended).code;
}

/** Retries while a busy database causes 503. */
const get = (url: string, headers: Record<string, string> = {}) =>
  askUntilAvailable(() => fetch(url, { headers }));

async function read(out: string, folder: string, path: string): Promise<Record<string, unknown>> {
  const address = /Read API\s+(\S+)/.exec(out)?.[1];
  const token = (await readFile(join(folder, 'token'), 'utf8')).trim();
  const response = await get(`${address}${path}`, { authorization: `Bearer ${token}` });
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return response.json() as Promise<Record<string, unknown>>;
}

test('npm start loads the sample and prints a curl line that works, and a second start keeps all data', async t => {
  const folder = await dataFolder(t);
  const first = start(t, folder);
  const out = await first.printed(READY);
  t.regex(out, /Loaded a sample history of \d{4} events/);
  t.regex(out, /curl -H "Authorization: Bearer \$\(cat \S+token\)" http:\S+\/api\/v1\/budgets/);
  t.regex(out, /Token +in \S+ \(user anna, 7 days; new at each start\)/);
  t.notRegex(out, /service_pat_/, 'no token, because output is no terminal');
  t.is((await stat(join(folder, 'token'))).mode & 0o777, 0o600);
  t.is((await stat(folder)).mode & 0o777, 0o700);
  const link = (await readFile(join(folder, 'sign-in-link'), 'utf8')).trim();
  t.is((await stat(join(folder, 'sign-in-link'))).mode & 0o777, 0o600);
  t.notRegex(out, /\?link=/, 'no link either');
  t.regex(await (await get(link)).text(), /signs you in as/);
  const budgets = await read(out, folder, '/budgets');
  t.is((budgets.budgets as unknown[]).length, 3);

  const accounts = await read(out, folder, '/accounts?budget_id=household');
  const token = await readFile(join(folder, 'token'), 'utf8');
  // A second start on the same folder says where the first one runs.
  const second = await start(t, folder).ended;
  t.is(second.code, 1);
  t.regex(second.err, /in use by process \d+, at http:\/\/127\.0\.0\.1:\d+/);
  // Other commands find the system through the folder.
  const listed = await budgeting(['parked', 'list'], { DATA_DIR: folder }).ended;
  t.deepEqual([listed.code, listed.out], [0, 'No stream is held\n']);

  t.is(await stop(first), 0);
  const again = start(t, folder);
  const outAgain = await again.printed(READY);
  t.notRegex(outAgain, /Loaded a sample/);
  t.deepEqual(await read(outAgain, folder, '/accounts?budget_id=household'), accounts);
  t.not(
    await readFile(join(folder, 'token'), 'utf8'),
    token,
    'the token of the last start is replaced',
  );
});

test('a start after SIGKILL continues', async t => {
  const folder = await dataFolder(t);
  const first = start(t, folder);
  await first.printed(/Projecting the event log/);
  first.child.kill('SIGKILL');
  await first.ended;
  const out = await start(t, folder).printed(READY);
  const { transactions } = await read(out, folder, '/transactions?budget_id=household&limit=10');
  t.is((transactions as unknown[]).length, 10);
});

test('npm start -- --empty starts without the sample, and append works', async t => {
  const folder = await dataFolder(t);
  const started = start(t, folder, { args: ['--empty'] });
  const out = await started.printed(READY);
  t.notRegex(out, /sample|Token/);
  t.regex(out, /Sign in\s+npx budgeting sign-in --user U prints a link/);
  t.regex(
    out,
    /^Next, .*\n +npx budgeting append FILE\n +npx budgeting import ynab\|actual FILE /m,
  );
  const signIn = await budgeting(['sign-in', '--user', 'anna'], { DATA_DIR: folder }).ended;
  t.is(signIn.code, 0, signIn.err);
  const [link = ''] = signIn.out.split('\n');
  t.regex(await (await get(link)).text(), /signs you in as <strong><bdi>anna</);
  const file = join(folder, '..', 'events.ndjson');
  const event = {
    specversion: '1.0',
    id: 'e-1',
    source: '/test',
    type: 'space.created',
    time: '2026-01-01T00:00:00Z',
    subject: 'space-1',
    sequence: 1,
    schemaversion: 1,
    data: { name: 'Home' },
  };
  await writeFile(file, `${JSON.stringify(event)}\n`);
  const appended = await budgeting(['append', file], { DATA_DIR: folder }).ended;
  t.is(appended.code, 0, appended.err);
  t.regex(appended.out, /^appended 1\n/);
  const repeated = await budgeting(['append', file], { DATA_DIR: folder }).ended;
  t.is(repeated.code, 1);
  t.regex(repeated.err, /^line 1: /);
  t.regex(repeated.err, /Nothing was appended/);
  t.notRegex(started.errors(), /"level":30/, 'logs from warn on by default');
  t.is(await stop(started), 0);
  const again = await start(t, folder).printed(READY);
  t.notRegex(again, /sample|Token/, 'a log that was begun without the sample has no user of it');
});

test('rules/projecting.md#two-shapes: an upgrade serves the frozen old generation and reports it, until the new one is ready', async t => {
  const mongo = await startOwnMongo();
  t.teardown(() => mongo.stop());
  const db = mongo.client.db('budgeting');
  const [now, before] = [new Date(), PROJECTIONS_VERSION - 1];
  await createCollections(db, 'g1');
  await changeRegistry(db, read => switched(withNew(read, before, now), 'g1', now));
  const at = { MONGODB_URL: mongo.url, DATA_DIR: await dataFolder(t), PORT: '0' };
  const started = budgeting(['start', '--empty'], at);
  t.teardown(() => started.child.kill('SIGKILL'));
  const out = await started.printed(READY);
  const line = `Generation g1 is of version ${before} of the projections: it answers as it is until one of version ${PROJECTIONS_VERSION} is built\n`;
  t.true(out.includes(line), out);
  await started.printed(/^Generation g2 answers now$/m);
  t.is(await stop(started), 0);
});

test('rules/running.md#stopping: SIGTERM ends the system in under 10 seconds, even if the database hangs', async t => {
  const folder = await dataFolder(t);
  const started = start(t, folder, { args: ['--empty'] });
  const out = await started.printed(READY);
  const { pid } = JSON.parse(await readFile(join(folder, 'mongo', 'last-run.json'), 'utf8'));
  t.teardown(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  process.kill(pid, 'SIGSTOP');
  const address = /Read API\s+(\S+)/.exec(out)?.[1];
  const asking = fetch(`${address}/budgets`, { headers: { authorization: JUNK } });
  asking.catch(() => {});
  await sleep(100);
  const fromMs = performance.now();
  t.is(await stop(started), 0);
  t.true(performance.now() - fromMs < SLOW_MS_MAX);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a folder with other files is reported in one clear line', async t => {
  const folder = await dataFolder(t);
  await mkdir(folder);
  await writeFile(join(folder, 'letters.txt'), 'mine');
  const { code, err } = await start(t, folder).ended;
  t.not(code, 0);
  t.is(err.trimEnd().split('\n').length, 1);
  t.regex(err, /it holds other files/);
});

test('a missing mongod gives one clear message that says what to do', async t => {
  const folder = await dataFolder(t);
  const env = { DATA_DIR: folder, MONGOMS_SYSTEM_BINARY: '/no/such/mongod' };
  const { code, err } = await budgeting(['start'], env).ended;
  t.not(code, 0);
  t.regex(err, /MONGOMS_SYSTEM_BINARY/);
});

test('rules/running.md#stopping: SIGTERM ends the download of a mongod, which leaves no files behind', async t => {
  const folder = await dataFolder(t);
  const site = await stallingSite();
  t.teardown(site.close);
  const nowhere = { PATH: '', MONGOMS_SYSTEM_BINARY: '', XDG_CACHE_HOME: folder };
  const mirror = { MONGOMS_DOWNLOAD_MIRROR: site.address, MONGOMS_USE_HTTP: 'true' };
  const dataDir = join(folder, 'data');
  await mkdir(folder);
  const started = budgeting(['start'], { DATA_DIR: dataDir, PORT: '0', ...nowhere, ...mirror });
  await site.stalled;
  started.child.kill('SIGTERM');
  const fromMs = performance.now();
  const { code, err } = await started.ended;
  t.deepEqual([code, err], [0, '']);
  t.true(performance.now() - fromMs < SLOW_MS_MAX);
  t.deepEqual(await readdir(join(folder, 'budgeting')), []);
});

test('bad configuration gives one clear line and exit code 2', async t => {
  const { code, err } = await budgeting(['start'], { PORT: 'eighty' }).ended;
  t.is(code, 2);
  t.is(err, 'Expected PORT to be an integer from 0 to 65535, got "eighty"\n');
});

test('an unknown command, and none, print the known commands', async t => {
  const unknown = await budgeting(['strat'], {}).ended;
  t.is(unknown.code, 2);
  t.regex(unknown.err, /^Expected a command of start, serve, .*got strat; did you mean start\?\n$/);
  const none = await budgeting([], {}).ended;
  t.is(none.code, 2);
  t.regex(none.out, /^ {2}append +checks events/m);
});
