// Prepares a fresh mongod, or one that moved to another port, as a single-node replica set with a password.
import { MongoClient, MongoNetworkError } from 'mongodb';
import { delay } from '../process/waiting.ts';
import { isCode } from './database-errors.ts';

const ALREADY_INITIALIZED = 23;
const USER_EXISTS = 51_003;
const POLL_MS = 20;
/** A connection attempt to a server that has ended fails after this time. */
const SERVER_SELECTION_TIMEOUT_MS = 5000;

export interface ReplicaSetAccess {
  /** `address:port` of the server, as the set's only member. */
  readonly host: string;
  readonly replicaSet: string;
  readonly user: string;
  readonly password: string;
}

/** Returns the connection string of the set. */
export function replicaSetUrl({ host, replicaSet, user, password }: ReplicaSetAccess): string {
  return `mongodb://${user}:${password}@${host}/?replicaSet=${replicaSet}&authSource=admin`;
}

/**
 * Returns once the server at `host` is a primary and the user exists. It may run again after a failure at any point,
 * and after a change of port.
 *
 * @param key the text of the server's key file
 * @throws MongoError when the server refuses a command, Error when it is no primary after `timeoutMs`
 */
export async function prepareReplicaSet(
  access: ReplicaSetAccess,
  key: string,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await tryToPrepare(access, key, deadline);
    } catch (error) {
      // A server that changes its role closes connections.
      if (!(error instanceof MongoNetworkError) || performance.now() > deadline) throw error;
    }
  }
}

async function tryToPrepare(
  access: ReplicaSetAccess,
  key: string,
  deadline: number,
): Promise<void> {
  // Signs in like another member of the set, which works without any user and after a move.
  const client = new MongoClient(`mongodb://${access.host}/`, {
    auth: { username: '__system', password: key },
    authSource: 'local',
    authMechanism: 'SCRAM-SHA-256',
    directConnection: true,
    serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
  });
  try {
    await initiate(client, access);
    await becomePrimary(client, deadline);
    await createUser(client, access);
  } finally {
    await client.close();
  }
}

async function initiate(
  client: MongoClient,
  { host, replicaSet }: ReplicaSetAccess,
): Promise<void> {
  const admin = client.db('admin');
  const hello = await admin.command({ hello: 1 });
  if (hello.setName === replicaSet && hello.me === host) return;
  const config = { _id: replicaSet, members: [{ _id: 0, host }] };
  try {
    await admin.command({ replSetInitiate: config });
  } catch (error) {
    if (!isCode(error, ALREADY_INITIALIZED)) throw error;
    // The set still has its former port, so no member would become primary.
    const { config: former } = await admin.command({ replSetGetConfig: 1 });
    const moved = { ...former, ...config, version: former.version + 1 };
    await admin.command({ replSetReconfig: moved, force: true });
  }
}

async function becomePrimary(client: MongoClient, deadline: number): Promise<void> {
  while (!(await client.db('admin').command({ hello: 1 })).isWritablePrimary) {
    if (performance.now() > deadline)
      throw new Error('The database did not become primary in time');
    await delay(POLL_MS);
  }
}

async function createUser(client: MongoClient, access: ReplicaSetAccess): Promise<void> {
  const { user, password: pwd } = access;
  const admin = client.db('admin');
  try {
    await admin.command({ createUser: user, pwd, roles: ['root'] });
  } catch (error) {
    if (!isCode(error, USER_EXISTS)) throw error;
    // The file with the former password may be lost.
    await admin.command({ updateUser: user, pwd });
  }
}
