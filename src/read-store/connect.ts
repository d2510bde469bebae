// The connection to MongoDB: one client for a process.
import { type Db, MongoClient } from 'mongodb';
import { UserError } from '../errors.ts';
import { isUnavailable } from './is-unavailable.ts';

/** The read model: rebuilt at will. */
const READ_MODEL = 'budgeting';

export interface StoreConnection {
  readonly client: MongoClient;
  readonly readModel: Db;
  /** Another database of the same deployment. */
  database(name: string): Db;
  close(): Promise<void>;
}

/** Nobody answers, at least not now. */
export class StoreAwayError extends UserError {}

/**
 * Connects, waiting for a primary for at most `timeoutMs`, or until the signal aborts.
 *
 * @throws UserError when the address is malformed, StoreAwayError when nobody answers there
 */
export async function connectStore(
  url: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<StoreConnection> {
  const client = createClient(url, timeoutMs);
  const close = () => client.close();
  signal?.addEventListener('abort', close);
  try {
    await client.connect();
    await client.db(READ_MODEL).command({ ping: 1 });
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
  return {
    client,
    readModel: client.db(READ_MODEL),
    database: name => client.db(name),
    close,
  };
}

function createClient(url: string, serverSelectionTimeoutMS: number): MongoClient {
  try {
    return new MongoClient(url, {
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

/** Options go too: passwords of proxies and keys are among them. */
function withoutSecrets(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/.*@/s, '//');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
