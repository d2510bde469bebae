// A mongod whose commands can be made to fail; fail points need a start-up parameter. Files that share a process share it.
import { MongoClient } from 'mongodb';
import type { MongoMemoryReplSet } from 'mongodb-memory-server';
import { createEmptiedDatabases, type EmptiedDatabases } from '../helpers/emptied-databases.ts';
import { afterFiles, type FileTest } from '../helpers/file-test.ts';
import {
  openDatabases,
  type StartedMongo,
  startReplicaSet,
  whileTested,
} from '../helpers/mongo.ts';
import { isProcessShared } from '../helpers/process-files.ts';

export interface UsedFailingMongo extends Pick<StartedMongo, 'client' | 'database'> {
  /** A client whose commands fail on request and are monitored; other clients are unaffected. */
  readonly harmed: MongoClient;
  /** The next `times` commands of these names fail: before they run or, with a write concern error, afterwards. */
  fail(times: number, commands: readonly string[], how: object): Promise<void>;
  heal(): Promise<void>;
}

interface FailingMongo extends UsedFailingMongo {
  stop(): Promise<void>;
}

const HARMED = 'harmed';

/** That of the process, once a file has started it. */
let server: Promise<MongoMemoryReplSet> | null = null;

const emptiedByFiles = createEmptiedDatabases();

/**
 * Starts a mongod before the tests of a file, unless one before it has, heals it after each test, and stops it after the
 * last file. Tests that let it fail are serial, because fail points belong to the server.
 */
export function useFailingMongo(test: FileTest): UsedFailingMongo {
  const emptied = isProcessShared() ? emptiedByFiles : null;
  const running = whileTested(test, async () => {
    server ??= startServer();
    return await clientsOf(await server, emptied);
  });
  afterFiles(async () => {
    const started = await server;
    server = null;
    await started?.stop();
  });
  test.afterEach.always(() => running().heal());
  return {
    get client() {
      return running().client;
    },
    get harmed() {
      return running().harmed;
    },
    database: name => running().database(name),
    fail: (times, commands, how) => running().fail(times, commands, how),
    heal: () => running().heal(),
  };
}

/** Starts one for the caller alone. */
export async function startFailingMongo(): Promise<FailingMongo> {
  const set = await startServer();
  const clients = await clientsOf(set, null);
  return {
    ...clients,
    async stop() {
      await clients.stop();
      await set.stop();
    },
  };
}

function startServer(): Promise<MongoMemoryReplSet> {
  return startReplicaSet(process.env, { args: ['--setParameter', 'enableTestCommands=1'] });
}

async function clientsOf(
  set: MongoMemoryReplSet,
  emptied: EmptiedDatabases | null,
): Promise<FailingMongo> {
  const client = await new MongoClient(set.getUri()).connect();
  // A failed command makes the driver doubt its server until the next heartbeat.
  const options = { appName: HARMED, heartbeatFrequencyMS: 500, monitorCommands: true };
  const harmed = await new MongoClient(set.getUri(), options).connect();
  const configure = (mode: object | string, data: object = {}) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
  const { database, leave } = openDatabases(client, emptied);
  return {
    client,
    harmed,
    database,
    async fail(times, commands, how) {
      await configure({ times }, { failCommands: commands, appName: HARMED, ...how });
    },
    async heal() {
      await configure('off');
    },
    async stop() {
      await harmed.close();
      // Otherwise the server ends with them.
      if (emptied) await leave();
      await client.close();
    },
  };
}
