// The management port of each long-running command; the commands are real processes with this file's own mongod.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { type StartedMongo, startOwnMongo } from '../helpers/mongo.ts';
import { account, row } from '../model/scene.ts';
import { askPort, metricsOf } from '../pages/operators/management-scene.ts';
import { sampleValue } from '../pages/operators/prometheus-text.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { budgeting, type Started } from './started.ts';

/** The promise is 10 s, of a machine that is not busy. What it would wait for otherwise takes 30 s or has no end. */
const SLOW_MS_MAX = 25_000;

let mongo: StartedMongo;
let folder: string;
let env: NodeJS.ProcessEnv;

test.before(async () => {
  mongo = await startOwnMongo();
  folder = await mkdtemp(join(tmpdir(), 'budgeting-management-'));
  env = { MONGODB_URL: mongo.url, DATA_DIR: folder, PORT: '0' };
});
test.after.always(async () => {
  await mongo?.stop();
  await rm(folder, { recursive: true, force: true });
});

function run(t: ExecutionContext, command: string, changes: NodeJS.ProcessEnv = {}): Started {
  const started = budgeting([command], { ...env, ...changes });
  t.teardown(async () => {
    started.child.kill('SIGKILL');
    await started.ended;
  });
  return started;
}

async function portOf(started: Started): Promise<number> {
  const printed = await started.printed(/Operators +http:\S+/);
  return Number(/Operators +http:\/\/127\.0\.0\.1:(\d+)\//.exec(printed)?.[1]);
}

async function ready(port: number): Promise<void> {
  while ((await askPort(port, '/readyz')).status !== 200) await sleep(50);
}

test.serial('project and serve report their health, and stop in order', async t => {
  const [projector, reader] = [run(t, 'project'), run(t, 'serve')];
  const ports = [await portOf(projector), await portOf(reader)] as const;
  await Promise.all(ports.map(ready));
  const events = join(folder, 'events.ndjson');
  await writeFile(events, `${JSON.stringify(eventMaker('budget-1')(CREATED))}\n`);
  const appended = await budgeting(['append', events], env).ended;
  t.is(appended.code, 0, appended.err);
  const applied = { generation: 'g1', outcome: 'applied' };
  await metricsOf(ports[0], found => {
    return (sampleValue(found, 'budgeting_projector_events_total', applied) ?? 0) >= 1;
  });
  const verified = await budgeting(['verify'], env).ended;
  t.is(verified.code, 0, verified.err);
  const labels = { generation: 'g1', scope: 'all' };
  const verification = 'budgeting_verification_differences';
  const projected = await metricsOf(ports[0], found => {
    return sampleValue(found, verification, labels) !== undefined;
  });
  const read = await metricsOf(ports[1]);
  t.is(sampleValue(projected, verification, labels), 0, 'set by another process');
  t.true(projected.has('budgeting_projection_lag_events'));
  t.false(projected.has('budgeting_http_requests_total'));
  t.false(read.has('budgeting_projection_lag_events'));
  t.true(read.has('budgeting_http_requests_total'));
  t.is(sampleValue(read, 'budgeting_server_up', { server: 'log' }), undefined);
  for (const started of [projector, reader]) {
    started.child.kill('SIGTERM');
    t.is((await started.ended).code, 0);
  }
});

test.serial('every command reports a taken management port in one clear line', async t => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  for (const command of ['project', 'serve', 'start']) {
    const started = run(t, command, {
      MANAGEMENT_PORT: String(port),
      DATA_DIR: join(folder, command),
    });
    const { code, err } = await started.ended;
    t.is(code, 1);
    t.regex(err, /^Expected to listen on 127\.0\.0\.1:\d+, but .* MANAGEMENT_PORT .*\n$/);
  }
});

/** A port that forwards to the database once it is open. */
async function lateDatabase(t: ExecutionContext) {
  const { host } = new URL(mongo.url.replace(/^mongodb:/, 'http:'));
  const [, target] = host.split(':');
  let isOpen = false;
  const server = createServer(socket => {
    if (!isOpen) return void socket.destroy();
    const onward = connect(Number(target), '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const one of [socket, onward]) one.on('error', () => one.destroy());
  });
  t.teardown(() => server.close());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    asked: once(server, 'connection'),
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    open: () => {
      isOpen = true;
    },
  };
}

for (const command of ['project', 'serve']) {
  test.serial(
    `rules/running.md#waiting-for-servers: ${command} waits for its database, and reports it`,
    async t => {
      const database = await lateDatabase(t);
      const started = run(t, command, { MONGODB_URL: database.url });
      const port = await portOf(started);
      const { status, text } = await askPort(port, '/readyz');
      t.is(status, 503);
      t.regex(text, /The database does not answer/);
      while (!/Waiting for MongoDB/.test(started.errors())) await sleep(50);
      database.open();
      await started.printed(command === 'serve' ? /Read API/ : /Projecting/);
      started.child.kill('SIGTERM');
      t.is((await started.ended).code, 0);
    },
  );
}

test.serial(
  'rules/running.md#waiting-for-servers: start waits for a database that is not its own too, and reports it',
  async t => {
    const database = await lateDatabase(t);
    const at = { ...env, MONGODB_URL: database.url };
    const started = budgeting(['start', '--empty'], at);
    t.teardown(() => started.child.kill('SIGKILL'));
    while (!/Waiting for MongoDB/.test(started.errors())) await sleep(50);
    database.open();
    await started.printed(/start goes on/);
    started.child.kill('SIGTERM');
    t.is((await started.ended).code, 0);
  },
);

test.serial('rules/running.md#stopping: SIGTERM ends start while it waits', async t => {
  const { url, asked } = await lateDatabase(t);
  const started = run(t, 'start', { MONGODB_URL: url, DATA_DIR: join(folder, 'never') });
  await asked;
  started.child.kill('SIGTERM');
  const fromMs = performance.now();
  t.is((await started.ended).code, 0);
  t.true(performance.now() - fromMs < SLOW_MS_MAX);
});

for (const [command, signal] of [
  ['project', 'SIGTERM'],
  ['serve', 'SIGHUP'],
] as const) {
  test.serial(`rules/running.md#stopping: ${signal} ends ${command} while it waits`, async t => {
    const { url } = await lateDatabase(t);
    const started = run(t, command, { MONGODB_URL: url });
    await portOf(started);
    started.child.kill(signal);
    t.is((await started.ended).code, 0);
  });
}

test.serial('an unexpected error ends the process, and its line contains no documents', async t => {
  const projector = run(t, 'project');
  await ready(await portOf(projector));
  // The database refuses rows, and its error contains them.
  const validator = { nothing: { $exists: true } };
  await mongo.client.db('budgeting').command({ collMod: 'g1_rows', validator });
  const eventOf = eventMaker('budget-2');
  const memo = 'Flowers for Wilhelmina';
  const drafts = [CREATED, account('a', true), row('t-1', { accountId: 'a', memo })];
  const events = join(folder, 'refused.ndjson');
  await writeFile(events, drafts.map(draft => `${JSON.stringify(eventOf(draft))}\n`).join(''));
  const appended = await budgeting(['append', events], env).ended;
  t.is(appended.code, 0, appended.err);
  const { code, out, err } = await projector.ended;
  t.is(code, 1);
  t.regex(err, /"message":"Document failed validation"/);
  t.false((out + err).includes(memo));
});
