// A mongod for one test file whose commands can be made to fail; fail points need a start-up parameter.
import { MongoClient } from 'mongodb';
import type { FileTest } from '../helpers/file-test.ts';
import { type StartedMongo, startReplicaSet, whileTested } from '../helpers/mongo.ts';

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
 * Starts a mongod before the tests of a file, heals it after each, and stops it after them. Tests that let it fail are
 * serial, because fail points belong to the server.
 */
export function useFailingMongo(test: FileTest): UsedFailingMongo {
  const running = whileTested(test, () => startFailingMongo());
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

export async function startFailingMongo(
  env: NodeJS.ProcessEnv = process.env,
): Promise<FailingMongo> {
  const set = await startReplicaSet(env, { args: ['--setParameter', 'enableTestCommands=1'] });
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
