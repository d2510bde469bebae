// A mongod that asks for a password, and the one user that docs/operations.md makes.
import { MongoClient } from 'mongodb';
import { startReplicaSet } from '../helpers/mongo.ts';

const ROOT = { username: 'root', password: 'root' };
const OPERATOR = { username: 'budgeting', password: 'budgeting' };
const ROLES = [
  { role: 'readWrite', db: 'budgeting' },
  { role: 'readWrite', db: 'budgeting_access' },
];

export interface LockedMongo {
  /** Signed in as the user of the product. */
  readonly client: MongoClient;
  /** Returns the MONGODB_URL of that user, with this path. */
  url(path: string): string;
  /** Replaces the rights of that user. */
  grant(roles: typeof ROLES): Promise<void>;
  stop(): Promise<void>;
}

export async function startLockedMongo(env: NodeJS.ProcessEnv = process.env): Promise<LockedMongo> {
  const auth = { customRootName: ROOT.username, customRootPwd: ROOT.password };
  const set = await startReplicaSet(env, { auth });
  const root = await new MongoClient(set.getUri(), { auth: ROOT }).connect();
  const { username, password } = OPERATOR;
  await root.db('admin').command({ createUser: username, pwd: password, roles: ROLES });
  const client = await new MongoClient(set.getUri(), { auth: OPERATOR }).connect();
  return {
    client,
    url(path) {
      const [, host, options] =
        /^mongodb:\/\/(?:[^@]*@)?([^/]*)\/[^?]*(\?.*)?$/.exec(set.getUri()) ?? [];
      return `mongodb://${username}:${password}@${host}/${path}${options ?? '?'}&authSource=admin`;
    },
    async grant(roles) {
      await root.db('admin').command({ updateUser: username, roles });
    },
    async stop() {
      await client.close();
      await root.close();
      await set.stop();
    },
  };
}
