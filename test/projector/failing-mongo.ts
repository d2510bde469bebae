// A mongod for one test file whose commands can be made to fail; fail points need a start-up parameter.
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import { LAUNCH_TIMEOUT_MS } from '../../scripts/test/start-mongo.ts';
import { probeMongod } from '../../src/embedded/mongod-binary.ts';
import type { StartedMongo } from '../helpers/mongo.ts';

export interface FailingMongo extends Pick<StartedMongo, 'client' | 'database' | 'stop'> {
  /** A client whose commands fail on request and are monitored; other clients are unaffected. */
  readonly harmed: MongoClient;
  /** The next `times` commands of these names fail: before they run or, with a write concern error, afterwards. */
  fail(times: number, commands: readonly string[], how: object): Promise<void>;
  heal(): Promise<void>;
}

const HARMED = 'harmed';

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
