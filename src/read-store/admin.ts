// Makes a fresh mongod, or one that moved to another port, a single-node replica set that asks for a password.
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';

const AUTHENTICATION_FAILED = 18;
const ALREADY_INITIALIZED = 23;
const POLL_MS = 20;
/** A server that has ended is noticed after this time. */
const SERVER_SELECTION_TIMEOUT_MS = 5000;

export interface ReplicaSetSetup {
  /** `address:port`, under which the server is to know itself. */
  readonly host: string;
  readonly replicaSet: string;
  readonly user: string;
  readonly password: string;
  readonly timeoutMs: number;
}

/** What a client needs to reach the set. */
export function replicaSetUrl(setup: Omit<ReplicaSetSetup, 'timeoutMs'>): string {
  const { host, replicaSet, user, password } = setup;
  return `mongodb://${user}:${password}@${host}/?replicaSet=${replicaSet}&authSource=admin`;
}

/**
 * Returns once the server at `host` is a primary and knows the user. May be run again after a
 * failure at any point, and after a change of port. Throws the driver's error, or an Error when
 * the time is up.
 */
export async function prepareReplicaSet(setup: ReplicaSetSetup): Promise<void> {
  const deadline = Date.now() + setup.timeoutMs;
  for (;;) {
    try {
      return await tryToPrepare(setup, deadline);
    } catch (error) {
      // A server that changes its role closes connections.
      if (!(error instanceof MongoNetworkError) || Date.now() > deadline) throw error;
    }
  }
}

async function tryToPrepare(setup: ReplicaSetSetup, deadline: number): Promise<void> {
  if (!(await hasUser(setup))) {
    await withServer(setup, false, async client => {
      await initiate(client, setup);
      await primary(client, deadline);
      await createUser(client, setup);
    });
  }
  await withServer(setup, true, async client => {
    await initiate(client, setup);
    await primary(client, deadline);
  });
}

async function hasUser(setup: ReplicaSetSetup): Promise<boolean> {
  try {
    await withServer(setup, true, client => client.db('admin').command({ ping: 1 }));
    return true;
  } catch (error) {
    if (isCode(error, AUTHENTICATION_FAILED)) return false;
    throw error;
  }
}

/** Without the user this is MongoDB's localhost exception: it ends with the first user. */
async function withServer<T>(
  { host, user, password }: ReplicaSetSetup,
  authenticated: boolean,
  work: (client: MongoClient) => Promise<T>,
): Promise<T> {
  const client = new MongoClient(`mongodb://${host}/`, {
    directConnection: true,
    serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    ...(authenticated && { auth: { username: user, password }, authSource: 'admin' }),
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function initiate(client: MongoClient, { host, replicaSet }: ReplicaSetSetup): Promise<void> {
  const admin = client.db('admin');
  const hello = await admin.command({ hello: 1 });
  if (hello.setName === replicaSet && hello.me === host) return;
  const config = { _id: replicaSet, members: [{ _id: 0, host }] };
  try {
    await admin.command({ replSetInitiate: config });
  } catch (error) {
    if (!isCode(error, ALREADY_INITIALIZED)) throw error;
    // The set is there under its former port: nobody would become primary.
    const { config: former } = await admin.command({ replSetGetConfig: 1 });
    const moved = { ...former, ...config, version: former.version + 1 };
    await admin.command({ replSetReconfig: moved, force: true });
  }
}

async function primary(client: MongoClient, deadline: number): Promise<void> {
  while (!(await client.db('admin').command({ hello: 1 })).isWritablePrimary) {
    if (Date.now() > deadline) throw new Error('The database did not become primary in time');
    await sleep(POLL_MS);
  }
}

async function createUser(client: MongoClient, setup: ReplicaSetSetup): Promise<void> {
  await client
    .db('admin')
    .command({ createUser: setup.user, pwd: setup.password, roles: ['root'] });
}

function isCode(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code;
}
