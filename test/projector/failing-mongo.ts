// A mongod for one test file whose commands can be made to fail; fail points need a start-up parameter.
import type { TestFn } from 'ava';
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import { LAUNCH_TIMEOUT_MS } from '../../scripts/test/start-mongo.ts';
import { probeMongod } from '../../src/embedded/mongod-binary.ts';
import type { StartedMongo } from '../helpers/mongo.ts';

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

/**
 * Starts a mongod before the tests of a file, heals it after each, and stops it after them. The tests run one after the
 * other, because fail points belong to the server.
 */
export function useFailingMongo<Context>(test: TestFn<Context>): UsedFailingMongo {
  let started: FailingMongo | undefined;
  const running = () => {
    if (!started) throw new Error('The database runs only in tests and in hooks that follow');
    return started;
  };
  test.serial.before(async () => {
    started = await startFailingMongo();
  });
  test.afterEach.always(() => started?.heal());
  test.after.always(() => started?.stop());
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

export async function startFailingMongo(
  env: NodeJS.ProcessEnv = process.env,
): Promise<FailingMongo> {
  const binary = env.MONGOMS_SYSTEM_BINARY;
  const found = binary ? await probeMongod(binary) : undefined;
  const set = await MongoMemoryReplSet.create({
    ...(found ? { binary: { systemBinary: found.path, version: found.version } } : {}),
    instanceOpts: [
      {
        storageEngine: 'wiredTiger',
        launchTimeout: LAUNCH_TIMEOUT_MS,
        args: ['--wiredTigerCacheSizeGB', '0.25', '--setParameter', 'enableTestCommands=1'],
      },
    ],
    replSet: { count: 1, storageEngine: 'wiredTiger' },
  });
  const client = await new MongoClient(set.getUri()).connect();
  // A failed command makes the driver doubt its server until the next heartbeat.
  const options = { appName: HARMED, heartbeatFrequencyMS: 500, monitorCommands: true };
  const harmed = await new MongoClient(set.getUri(), options).connect();
  const configure = (mode: object | string, data: object = {}) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
  let databases = 0;
  return {
    client,
    harmed,
    database(name) {
      databases += 1;
      return client.db(`${name}_${databases}`);
    },
    async fail(times, commands, how) {
      await configure({ times }, { failCommands: commands, appName: HARMED, ...how });
    },
    async heal() {
      await configure('off');
    },
    async stop() {
      await client.close();
      await harmed.close();
      await set.stop();
    },
  };
}
