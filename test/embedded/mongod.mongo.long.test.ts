import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import ava, { type ExecutionContext } from 'ava';
import { MongoClient } from 'mongodb';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import { lastVersion, type RunningMongod, startMongod } from '../../src/embedded/mongod.ts';
import { UserError } from '../../src/process/errors.ts';
import { hasEnded } from '../../src/process/process-identity.ts';
import { quietPort } from '../helpers/quiet-port.ts';
import { smallDisk } from '../helpers/small-disk.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { writeProgram } from './fake-binaries.ts';

/** Serial, because each test starts one or two mongods. */
const test = ava.serial;

/** Longer than the stop of a mongod that must be killed. */
const STOP_MS_MAX = 30_000;
const SELECTION_MS_MAX = 30_000;

let binary = '';
test.before(async () => {
  binary = (await findMongod({ env: process.env, report: () => undefined })).path;
});

interface StartOptions {
  folder: string;
  version?: string;
  port?: number;
  report?: (line: string) => void;
}

async function start(t: ExecutionContext, options: StartOptions): Promise<RunningMongod> {
  const mongod = await startMongod({ binary, ...options });
  t.teardown(mongod.stop);
  return mongod;
}

async function withClient<T>(url: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: SELECTION_MS_MAX });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const write = (url: string, name: string) =>
  withClient(url, async client => {
    const session = client.startSession();
    await session.withTransaction(() =>
      client.db('test').collection('notes').insertOne({ name }, { session }),
    );
    await session.endSession();
  });

const read = (url: string) =>
  withClient(url, async client => {
    const notes = await client.db('test').collection('notes').find().sort({ _id: 1 }).toArray();
    return notes.map(note => note.name);
  });

const portOf = (url: string): number => Number(new URL(url).port);

test('a database whose password file is lost gets another password', async t => {
  const folder = join(await temporaryFolder(t), 'mongo');
  const first = await start(t, { folder });
  await write(first.url, 'one');
  await first.stop();
  await rm(join(folder, 'password'));
  const second = await start(t, { folder });
  t.not(new URL(second.url).password, new URL(first.url).password);
  t.deepEqual(await read(second.url), ['one']);
});

test('rules/running.md#the-embedded-database: a stop and a new start keep all data, on the same port', async t => {
  const folder = join(await temporaryFolder(t), 'mongo');
  const first = await start(t, { folder, port: await quietPort() });
  await write(first.url, 'one');
  const stoppedAtMs = performance.now();
  await Promise.all([first.stop(), first.stop()]);
  t.true(performance.now() - stoppedAtMs < STOP_MS_MAX);
  t.true(await hasEnded(first.pid, 0));
  const second = await start(t, { folder });
  t.is(second.url, first.url);
  await write(second.url, 'two');
  t.deepEqual(await read(second.url), ['one', 'two']);
});

test('the data is available on another port too, if requested or if the old one is taken', async t => {
  const folder = await temporaryFolder(t);
  const first = await start(t, { folder, port: await quietPort() });
  await write(first.url, 'one');
  await first.stop();
  const blocker = createServer(socket => socket.destroy()).listen(portOf(first.url), '127.0.0.1');
  await once(blocker, 'listening');
  t.teardown(() => blocker.close());
  const lines: string[] = [];
  const second = await start(t, { folder, report: line => lines.push(line) });
  const [before, after] = [portOf(first.url), portOf(second.url)];
  t.not(before, after);
  t.deepEqual(lines, [`Port ${before} is taken, MongoDB moves to ${after}`]);
  t.deepEqual(await read(second.url), ['one']);
  await second.stop();
  const third = await start(t, { folder, port: portOf(second.url) + 1 });
  await write(third.url, 'two');
  t.deepEqual(await read(third.url), ['one', 'two']);
});

test('rules/running.md#the-embedded-database: mongod listens on 127.0.0.1, with generated credentials that only the owner can read', async t => {
  const folder = join(await temporaryFolder(t), 'mongo');
  const { url } = await start(t, { folder });
  const { hostname, username, password } = new URL(url);
  t.is(hostname, '127.0.0.1');
  t.true(password.length >= 32);
  t.is((await stat(folder)).mode & 0o777, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const mode = (await stat(join(folder, entry.name))).mode & 0o777;
    t.is(mode, entry.isDirectory() ? 0o700 : 0o600, entry.name);
  }
  for (const credentials of ['', `${username}:wrong@`]) {
    const other = url.replace(`${username}:${password}@`, credentials);
    const error = await t.throwsAsync(() => read(other));
    t.regex(error?.message ?? '', /[Aa]uthenticat/);
  }
  // Another folder has another password.
  const second = await start(t, { folder: await temporaryFolder(t) });
  t.not(new URL(second.url).password, password);
});

test('a second start on a folder in use names the process and the address', async t => {
  const folder = await temporaryFolder(t);
  const { url } = await start(t, { folder });
  await t.throwsAsync(() => startMongod({ binary, folder }), {
    instanceOf: UserError,
    message: `The database in ${folder} is in use by process ${process.pid}, its MongoDB listens on 127.0.0.1:${portOf(url)}`,
  });
  t.deepEqual(await read(url), []);
});

test('rules/running.md#the-data-folder: the start after a SIGKILL ends the mongod that was left behind', async t => {
  const folder = await temporaryFolder(t);
  const program = join(import.meta.dirname, 'keep-mongod.js');
  const child = spawn(process.execPath, [program, binary, folder, String(await quietPort())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const left = JSON.parse(String(line)) as { url: string; pid: number };
  await write(left.url, 'one');
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.false(await hasEnded(left.pid, 0));
  const lines: string[] = [];
  // By another name of the same folder.
  const link = join(await temporaryFolder(t), 'link');
  await symlink(folder, link);
  const { url } = await start(t, { folder: link, report: said => lines.push(said) });
  t.deepEqual(lines, [`Ended mongod ${left.pid}, left behind by an earlier run`]);
  t.true(await hasEnded(left.pid, 0));
  t.deepEqual(await read(url), ['one']);
});

test('a mongod that ends by itself is reported, and a stopped one is not', async t => {
  const folder = await temporaryFolder(t);
  const first = await start(t, { folder });
  process.kill(first.pid, 'SIGKILL');
  const error = await first.died;
  t.true(error instanceof UserError);
  t.is(error.message, `MongoDB ended by itself (SIGKILL), its log: ${folder}/mongod.log`);
  await first.stop();
  const second = await start(t, { folder });
  let died = false;
  void second.died.then(() => {
    died = true;
  });
  await second.stop();
  t.false(died);
});

test('a damaged data folder gives one line with the reason, the log and what to do, and is free again', async t => {
  const folder = await temporaryFolder(t);
  const first = await start(t, { folder, version: '6.0.5' });
  await first.stop();
  t.is(await lastVersion(folder), '6.0.5');
  await writeFile(join(folder, 'db', 'WiredTiger.turtle'), 'nonsense');
  await writeFile(join(folder, 'db', 'WiredTiger.wt'), 'nonsense');
  for (let attempt = 1; attempt <= 2; attempt++) {
    const error = await t.throwsAsync(() => startMongod({ binary, folder }), {
      instanceOf: UserError,
    });
    const message = error?.message ?? '';
    t.false(message.includes('\n'));
    t.regex(message, /^MongoDB ended \(\S+\) on \S+\/db: .*database corruption detected/);
    t.true(message.includes(`(its log: ${folder}/mongod.log)`));
    t.regex(
      message,
      /version that wrote this folder \(6\.0\.5\) in MONGOMS_SYSTEM_BINARY, restore it/,
    );
    t.regex(message, /tokens have to be issued again, and events that were skipped/);
  }
});

test('a folder that cannot be created gives one clear line', async t => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'db'), '');
  await t.throwsAsync(() => startMongod({ binary, folder }), {
    instanceOf: UserError,
    message: /^Cannot keep a database in .*: a file stands where a folder is expected \(EEXIST\); /,
  });
});

test('a binary that is no mongod gives one clear line', async t => {
  const folder = await temporaryFolder(t);
  const other = join(folder, 'other');
  await writeProgram(other, '#!/bin/sh\necho Error parsing command line >&2\nexit 2\n');
  await t.throwsAsync(() => startMongod({ binary: other, folder: join(folder, 'mongo') }), {
    instanceOf: UserError,
    message: /^MongoDB ended \(2\) on .*: Error parsing command line \(its log: /,
  });
  await t.throwsAsync(() => startMongod({ binary: '/nowhere/mongod', folder: join(folder, 'm') }), {
    instanceOf: UserError,
    message: /^MongoDB ended/,
  });
});

const NO_SPACE =
  '{"s":"E","msg":"WiredTiger error message","attr":{"error":28,"message":{"error_str":"No space left on device","error_code":28}}}';

test('a full disk that mongod reports is a full disk, and not a damaged folder', async t => {
  const folder = await temporaryFolder(t);
  const other = join(folder, 'other');
  await writeProgram(other, `#!/bin/sh\necho '${NO_SPACE}' >&2\nexit 14\n`);
  await t.throwsAsync(() => startMongod({ binary: other, folder: join(folder, 'mongo') }), {
    instanceOf: UserError,
    message: `MongoDB ended (14) on ${folder}/mongo/db: the disk is full (ENOSPC); free space on it, then try again (its log: ${folder}/mongo/mongod.log)`,
  });
});

test('a full disk is reported at every start, and a start succeeds once space is free', async t => {
  const disk = await smallDisk(t, 400_000_000);
  if (disk === null) return void t.pass();
  const folder = join(disk.folder, 'mongo');
  const first = await start(t, { folder });
  await write(first.url, 'one');
  await first.stop();
  for (const freeBytes of [0, 8192]) {
    await disk.fill(freeBytes);
    const error = await t.throwsAsync(() => startMongod({ binary, folder }), {
      instanceOf: UserError,
    });
    t.regex(
      error?.message ?? '',
      /^(Cannot keep a database in|MongoDB ended) .*: the disk is full/,
    );
    t.notRegex(error?.message ?? '', /tokens|\n/);
    await disk.free();
  }
  const again = await start(t, { folder });
  t.deepEqual(await read(again.url), ['one']);
  await disk.fill();
  const client = new MongoClient(again.url, { serverSelectionTimeoutMS: 1000 });
  const note = { name: 'two'.repeat(5_000_000) };
  await t.throwsAsync(client.db('test').collection('notes').insertOne(note));
  await client.close();
  const died = await again.died;
  t.regex(died.message, /^MongoDB ended by itself \(\w+\): the disk is full \(ENOSPC\)/);
});
