// Connects to MongoDB: one client for a process.
import { type Db, MongoClient } from 'mongodb';
import { UserError } from '../process/errors.ts';
import { isUnavailable } from './database-errors.ts';
import { databaseNames } from './database-names.ts';

export interface StoreConnection {
  readonly client: MongoClient;
  readonly readModel: Db;
  /** Another database of the same deployment, by its name without the path of MONGODB_URL. */
  database(name: string): Db;
  close(): Promise<void>;
}

/**
 * A server whose monitoring connection is silent for the sum of both, 10 s, counts as unavailable, and all connections
 * to it are replaced: a firewall or a crashed machine does not close them. The driver's defaults add up to 40 s.
 */
const SILENCE = { connectTimeoutMS: 5000, heartbeatFrequencyMS: 5000 };

/** No database answers; it may later. */
export class StoreAwayError extends UserError {}

/**
 * Connects, waiting for a primary for at most `timeoutMs`, or until the signal aborts.
 *
 * @throws UserError when the address is malformed, that of a single server, or names a database that cannot be used
 * @throws StoreAwayError when no database answers there
 */
export async function connectStore(
  url: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<StoreConnection> {
  const client = createClient(url, timeoutMs);
  const names = databaseNames(withoutSecrets(url));
  const readModel = client.db(names.readModel);
  const close = () => client.close();
  signal?.addEventListener('abort', close);
  let hello: Hello;
  try {
    await client.connect();
    hello = await readModel.command({ hello: 1 });
  } catch (error) {
    await close();
    const where = withoutSecrets(url);
    const Failure = isUnavailable(error) ? StoreAwayError : UserError;
    throw new Failure(`No MongoDB answers at ${where}: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    signal?.removeEventListener('abort', close);
  }
  if (isSingle(hello)) {
    await close();
    throw new UserError(
      `Expected MONGODB_URL to name a replica set or a sharded cluster, got a single server at ${withoutSecrets(url)}: it has no transactions`,
      { exitCode: 2 },
    );
  }
  return {
    client,
    readModel,
    database: name => client.db(names.of(name)),
    close,
  };
}

/** The part of a server's `hello` that matters here. */
interface Hello {
  readonly setName?: string;
  /** True for a server that has yet to join a set. */
  readonly isreplicaset?: boolean;
  readonly msg?: string;
}

function isSingle({ setName, isreplicaset, msg }: Hello): boolean {
  return setName === undefined && isreplicaset !== true && msg !== 'isdbgrid';
}

function createClient(url: string, serverSelectionTimeoutMS: number): MongoClient {
  try {
    return new MongoClient(url, {
      ...SILENCE,
      serverSelectionTimeoutMS,
      appName: 'budgeting',
      ignoreUndefined: true,
      retryWrites: true,
    });
  } catch (error) {
    throw new UserError(`MONGODB_URL is no MongoDB address: ${messageOf(error)}`, {
      exitCode: 2,
      cause: error,
    });
  }
}

/** Returns the address without user and options: options may contain passwords of proxies and keys too. */
function withoutSecrets(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/.*@/s, '//');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
