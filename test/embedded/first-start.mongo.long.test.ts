// The first start of the embedded mongod: no user exists yet, and no one else on this machine may use that.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import ava, { type ExecutionContext } from 'ava';
import { MongoClient, MongoServerError } from 'mongodb';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import { startMongod } from '../../src/embedded/mongod.ts';
import { listens, spawnMongod, stopChild } from '../../src/embedded/mongod-process.ts';
import { prepareReplicaSet } from '../../src/store/admin.ts';
import { eventually } from '../helpers/eventually.ts';
import { quietPort } from '../helpers/quiet-port.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Serial, because each test starts a mongod. */
const test = ava.serial;

const LISTEN_MS_MAX = 120_000;
const SELECTION_MS_MAX = 30_000;
const UNAUTHORIZED = 13;
const KEY = 'theKeyOfAnInterruptedStart';

let binary = '';
test.before(async () => {
  binary = (await findMongod({ env: process.env, report: () => undefined })).path;
});

/** A mongod of the product that nobody has prepared yet. */
async function unprepared(t: ExecutionContext) {
  const folder = await temporaryFolder(t);
  const files = {
    db: join(folder, 'db'),
    key: join(folder, 'key'),
    log: join(folder, 'mongod.log'),
  };
  await mkdir(files.db, { recursive: true });
  await writeFile(files.key, KEY, { mode: 0o600 });
  const port = await quietPort();
  const child = spawnMongod(binary, port, files);
  t.teardown(() => stopChild(child));
  t.true(await listens(child, port, LISTEN_MS_MAX));
  return { folder, port, child };
}

function connect(t: ExecutionContext, port: number, selectionMs = SELECTION_MS_MAX): MongoClient {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: selectionMs,
  });
  t.teardown(() => client.close());
  return client;
}

/** Signs in with the key file, like another member of the set. */
function connectAsMember(t: ExecutionContext, port: number): MongoClient {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    auth: { username: '__system', password: KEY },
    authSource: 'local',
    authMechanism: 'SCRAM-SHA-256',
    serverSelectionTimeoutMS: SELECTION_MS_MAX,
  });
  t.teardown(() => client.close());
  return client;
}

const configOf = (port: number) => ({
  _id: 'rs0',
  members: [{ _id: 0, host: `127.0.0.1:${port}` }],
});

/** What an intruder would do with the exception that MongoDB makes for its own machine. */
const attempts = (port: number) => [
  { replSetInitiate: configOf(port) },
  { createUser: 'intruder', pwd: 'intruder', roles: ['root'] },
  { createRole: 'intruder', privileges: [], roles: ['root'] },
  { usersInfo: 1 },
  { listDatabases: 1 },
  { getParameter: '*' },
  { insert: 'notes', documents: [{}] },
  { replSetGetConfig: 1 },
  { shutdown: 1, force: true },
];

/** Returns the commands that the server did anything for but refuse them. */
async function admitted(client: MongoClient, port: number): Promise<object[]> {
  const done: object[] = [];
  for (const command of attempts(port)) {
    const code = await client
      .db('admin')
      .command(command)
      .then(
        () => 0,
        error => (error instanceof MongoServerError ? error.code : 0),
      );
    if (code !== UNAUTHORIZED) done.push(command);
  }
  return done;
}

test('attack: without a user, nothing is allowed before the set is initiated, nor after', async t => {
  const { port } = await unprepared(t);
  const intruder = connect(t, port);
  t.deepEqual(await admitted(intruder, port), []);
  const member = connectAsMember(t, port).db('admin');
  await member.command({ replSetInitiate: configOf(port) });
  await eventually(t, async tried => {
    tried.true((await member.command({ hello: 1 })).isWritablePrimary);
  });
  t.deepEqual(await admitted(intruder, port), [], 'the moment before the first user');
  t.deepEqual((await member.command({ usersInfo: 1 })).users, []);
  await prepareReplicaSet(
    { host: `127.0.0.1:${port}`, replicaSet: 'rs0', user: 'first', password: 'of this test' },
    KEY,
    LISTEN_MS_MAX,
  );
  t.deepEqual(await admitted(intruder, port), []);
  const { users } = await member.command({ usersInfo: 1 });
  t.deepEqual(
    users.map(({ user }: { user: string }) => user),
    ['first'],
  );
});

test('attack: an intruder who tries without a pause during a first start is always refused', async t => {
  const port = await quietPort();
  const refusals: unknown[] = [];
  let started = false;
  async function intrude(): Promise<object[]> {
    const done: object[] = [];
    while (!started) {
      // A new client each time: one that could not connect is of no more use.
      const client = connect(t, port, 200);
      for (const command of attempts(port)) {
        await client
          .db('admin')
          .command(command)
          .then(
            () => done.push(command),
            error => refusals.push(error.code),
          );
        await setImmediate();
      }
      await client.close();
    }
    return done;
  }
  const intruding = intrude();
  const mongod = await startMongod({ binary, folder: await temporaryFolder(t), port });
  t.teardown(mongod.stop);
  t.is(Number(new URL(mongod.url).port), port);
  await eventually(t, async tried => {
    tried.true(refusals.filter(code => code === UNAUTHORIZED).length >= attempts(port).length);
  });
  started = true;
  t.deepEqual(await intruding, []);
  const client = new MongoClient(mongod.url);
  t.teardown(() => client.close());
  const { users } = await client.db('admin').command({ usersInfo: 1 });
  t.deepEqual(
    users.map(({ user }: { user: string }) => user),
    ['budgeting'],
  );
});

test('a start continues one that was interrupted before it made the user, on any port', async t => {
  const { folder, port, child } = await unprepared(t);
  await connectAsMember(t, port)
    .db('admin')
    .command({ replSetInitiate: configOf(port) });
  await stopChild(child);
  const mongod = await startMongod({ binary, folder, port: port + 1 });
  t.teardown(mongod.stop);
  const client = new MongoClient(mongod.url);
  t.teardown(() => client.close());
  t.deepEqual(await client.db('test').collection('notes').find().toArray(), []);
});
