// A mongod that asks for a password, and the one user that docs/operations.md makes.
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import { LAUNCH_TIMEOUT_MS } from '../../scripts/test/start-mongo.ts';
import { probeMongod } from '../../src/embedded/mongod-binary.ts';

const ROOT = { username: 'root', password: 'root' };
const OPERATOR = { username: 'budgeting', password: 'budgeting' };
const ROLES = [
  { role: 'readWrite', db: 'budgeting' },
  { role: 'readWrite', db: 'budgeting_access' },
];

export interface LockedMongo {
  /** Signed in as the user of the product. */
  readonly client: MongoClient;
  stop(): Promise<void>;
}

export async function startLockedMongo(env: NodeJS.ProcessEnv = process.env): Promise<LockedMongo> {
  const binary = env.MONGOMS_SYSTEM_BINARY;
  const found = binary ? await probeMongod(binary) : undefined;
  const set = await MongoMemoryReplSet.create({
    ...(found ? { binary: { systemBinary: found.path, version: found.version } } : {}),
    instanceOpts: [{ storageEngine: 'wiredTiger', launchTimeout: LAUNCH_TIMEOUT_MS }],
    replSet: {
      count: 1,
      storageEngine: 'wiredTiger',
      auth: { enable: true, customRootName: ROOT.username, customRootPwd: ROOT.password },
    },
  });
  const root = await new MongoClient(set.getUri(), { auth: ROOT }).connect();
  const { username, password } = OPERATOR;
  await root.db('admin').command({ createUser: username, pwd: password, roles: ROLES });
  await root.close();
  const client = await new MongoClient(set.getUri(), { auth: OPERATOR }).connect();
  return {
    client,
    async stop() {
      await client.close();
      await set.stop();
    },
  };
}
