// A real mongod for tests: that of the whole run, or one for this test file alone.
import { randomBytes } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { MongoMemoryReplSet, MongoMemoryServer } from 'mongodb-memory-server';
import { LAUNCH_TIMEOUT_MS } from '../../scripts/test/start-mongo.ts';
import { probeMongod } from '../../src/embedded/find-mongod.ts';
import { createEmptiedDatabases, type EmptiedDatabases } from './emptied-databases.ts';
import type { FileTest } from './file-test.ts';
import { afterSharedFiles, isProcessShared } from './process-files.ts';

export interface TestMongo {
  /** A replica set, so transactions and majority writes work. */
  readonly url: string;
  readonly client: MongoClient;
  /**
   * Returns a database of this test, without documents. Earlier files of the process may have left the empty collections of
   * a generation in it.
   */
  database(name: string): Db;
  /** Returns a database without collections. */
  newDatabase(name: string): Db;
}

export interface StartedMongo extends TestMongo {
  /** Empties or drops the databases, closes the client, and stops the mongod if this file started it. */
  stop(): Promise<void>;
}

export interface UsedMongo extends TestMongo {
  /** Adds work that runs after the last test, while the server is still up. */
  beforeStop(work: () => unknown): void;
}

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Database names have at most 63 bytes; the suffix takes 13. */
const NAME_CHARACTERS_MAX = 40;

/** Starts a mongod before the tests of a file and stops it after them. Call it first, at the top of the file. */
export function useMongo(test: FileTest): UsedMongo {
  const ending: (() => unknown)[] = [];
  const running = whileTested(test, () => startMongo(process.env, emptiedByFiles()), ending);
  return {
    get url() {
      return running().url;
    },
    get client() {
      return running().client;
    },
    database: name => running().database(name),
    newDatabase: name => running().newDatabase(name),
    beforeStop: work => void ending.push(work),
  };
}

/**
 * Starts a server before the tests of a file and stops it after them, once `ending` is done. Returns a function that
 * returns it while it runs.
 */
export function whileTested<Started extends { stop(): Promise<void> }>(
  test: FileTest,
  start: () => Promise<Started>,
  ending: readonly (() => unknown)[] = [],
): () => Started {
  let started: Started | undefined;
  test.serial.before(async () => {
    started = await start();
  });
  test.after.always(async () => {
    for (const work of ending) await work();
    await started?.stop();
  });
  return () => {
    if (!started) throw new Error('The database runs only in tests and in hooks that follow');
    return started;
  };
}

/** Starts a mongod for one test file alone: commands have fixed database names. */
export function startOwnMongo(): Promise<StartedMongo> {
  const { TEST_MONGODB_URL: _, ...own } = process.env;
  return startMongo(own);
}

/** Files that need more than `useMongo` call this in `test.before`, and `stop` in `test.after.always`. */
export async function startMongo(
  env: NodeJS.ProcessEnv = process.env,
  emptied: EmptiedDatabases | null = null,
): Promise<StartedMongo> {
  const server = env.TEST_MONGODB_URL
    ? { url: env.TEST_MONGODB_URL, stop: async () => {} }
    : await startServer(env);
  const client = await new MongoClient(server.url).connect();
  const { database, newDatabase, leave } = openDatabases(client, emptied);
  return {
    url: server.url,
    client,
    database,
    newDatabase,
    async stop() {
      await leave();
      await client.close();
      await server.stop();
    },
  };
}

interface OpenDatabases extends Pick<TestMongo, 'database' | 'newDatabase'> {
  /** Empties them for later files; drops them where there are none. */
  leave(): Promise<void>;
}

/** Opens databases of a client, if possible those that earlier files have emptied. */
export function openDatabases(
  client: MongoClient,
  emptied: EmptiedDatabases | null,
): OpenDatabases {
  const databases: Db[] = [];
  const opened = (name: string) => {
    const database = client.db(name);
    databases.push(database);
    return database;
  };
  return {
    database: name => opened(emptied?.take() ?? newName(name)),
    newDatabase: name => opened(newName(name)),
    async leave() {
      await Promise.all(
        databases.map(async database => {
          if (emptied) await emptied.leave(database);
          else await database.dropDatabase();
        }),
      );
    },
  };
}

let emptiedOfRun: EmptiedDatabases | null = null;

/** Returns what earlier files of the process left at the server of the whole run; null if each file has a server. */
function emptiedByFiles(): EmptiedDatabases | null {
  const url = process.env.TEST_MONGODB_URL;
  if (!(url && isProcessShared())) return null;
  if (emptiedOfRun === null) {
    const emptied = createEmptiedDatabases();
    emptiedOfRun = emptied;
    afterSharedFiles(async () => {
      const client = await new MongoClient(url).connect();
      await emptied.drop(client);
      await client.close();
    });
  }
  return emptiedOfRun;
}

function newName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, NAME_CHARACTERS_MAX);
  return `${plain}_${randomBytes(6).toString('hex')}`;
}

/** Starts a server outside a replica set. */
export async function startSingleMongo(env: NodeJS.ProcessEnv = process.env): Promise<Server> {
  const server = await MongoMemoryServer.create({
    ...(await binaryOf(env.MONGOMS_SYSTEM_BINARY)),
    instance: { storageEngine: 'wiredTiger', launchTimeout: LAUNCH_TIMEOUT_MS },
  });
  return {
    url: server.getUri(),
    stop: async () => {
      await server.stop();
    },
  };
}

// Without the version, mongodb-memory-server warns of a conflict with the given binary.
async function binaryOf(binary: string | undefined) {
  const found = binary ? await probeMongod(binary) : undefined;
  return found ? { binary: { systemBinary: found.path, version: found.version } } : {};
}

interface ReplicaSetOptions {
  /** Arguments of mongod. */
  readonly args?: readonly string[];
  readonly auth?: { customRootName: string; customRootPwd: string };
}

/** Starts a replica set of one member, for tests that `startMongo` does not serve. */
export async function startReplicaSet(
  env: NodeJS.ProcessEnv,
  { args = [], auth }: ReplicaSetOptions,
): Promise<MongoMemoryReplSet> {
  return await MongoMemoryReplSet.create({
    ...(await binaryOf(env.MONGOMS_SYSTEM_BINARY)),
    instanceOpts: [
      {
        storageEngine: 'wiredTiger',
        launchTimeout: LAUNCH_TIMEOUT_MS,
        args: ['--wiredTigerCacheSizeGB', '0.25', ...args],
      },
    ],
    replSet: {
      count: 1,
      storageEngine: 'wiredTiger',
      ...(auth && { auth: { enable: true, ...auth } }),
    },
  });
}

async function startServer(env: NodeJS.ProcessEnv): Promise<Server> {
  const set = await startReplicaSet(env, { args: ['--networkMessageCompressors', 'disabled'] });
  return {
    url: set.getUri(),
    stop: async () => {
      await set.stop();
    },
  };
}
