// Connects to MongoDB: one client for a process. The path of MONGODB_URL goes before the names of the databases, so that
// deployments can share a replica set.
import { type Db, MongoClient, MongoServerSelectionError } from 'mongodb';
import { messageOf } from '../process/describe-error.ts';
import { errorCode, UserError } from '../process/errors.ts';
import { isUnavailable } from './database-errors.ts';

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
 * @throws UserError when the address is malformed, that of a single server, reads from other members than the
 *   primary, or names a database that cannot be used
 * @throws StoreAwayError when no database answers there
 */
export async function connectStore(
  url: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<StoreConnection> {
  const client = createClient(url, timeoutMs);
  refuseOptions(client);
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
    const isAway = isUnavailable(error) || isUnresolved(error);
    const Failure = isAway ? StoreAwayError : UserError;
    const why = isOfAnotherSet(error)
      ? 'what answers there is of another replica set than replicaSet says'
      : messageOf(error);
    throw new Failure(`No MongoDB answers at ${where}: ${why}`, { cause: error });
  } finally {
    signal?.removeEventListener('abort', close);
  }
  if (isSingle(hello)) {
    await close();
    throw refusal(
      `Expected MONGODB_URL to name a replica set or a sharded cluster, got a single server at ${withoutSecrets(url)}: it has no transactions`,
    );
  }
  return {
    client,
    readModel,
    database: name => client.db(names.of(name)),
    close,
  };
}

/** @throws UserError for an option of the address that would take the guarantees of reads or writes away */
function refuseOptions({ readPreference: { mode }, readConcern, writeConcern }: MongoClient): void {
  const level = readConcern?.level ?? 'local';
  // Transactions read from the primary alone, and no answer may be older than the one before it.
  if (mode !== 'primary') {
    throw refusal(`Expected MONGODB_URL to have readPreference=primary or none, got ${mode}`);
  }
  if (level !== 'local' && level !== 'majority') {
    throw refusal(
      `Expected MONGODB_URL to have readConcernLevel=local, majority or none, got ${level}`,
    );
  }
  if (writeConcern?.w === 0) {
    throw refusal('Expected MONGODB_URL to have w=majority or none, got 0');
  }
}

function refusal(message: string, cause?: unknown): UserError {
  return new UserError(message, { exitCode: 2, cause });
}

/** The driver drops members of another set, and is left with none. */
function isOfAnotherSet(error: unknown): boolean {
  if (!(error instanceof MongoServerSelectionError)) return false;
  const { type, servers } = error.reason ?? {};
  return type === 'ReplicaSetNoPrimary' && servers?.size === 0;
}

/**
 * What a resolver answers while it, or the name, is not there yet. The driver looks a name of `mongodb+srv:` up by itself,
 * and passes the resolver's error on as it is; all other names are looked up under its timeout.
 */
const UNRESOLVED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENODATA',
  'ENOTFOUND',
  'EREFUSED',
  'ESERVFAIL',
  'ETIMEOUT',
]);

function isUnresolved(error: unknown): boolean {
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall?.startsWith('query') === true && UNRESOLVED.has(errorCode(error) ?? '');
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
    throw refusal(`MONGODB_URL is no MongoDB address: ${messageOf(error)}`, error);
  }
}

/** Returns the address without user and options: options may contain passwords of proxies and keys too. */
function withoutSecrets(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/.*@/s, '//');
}

/** The database of the read model, which can be rebuilt at any time; its name as a path changes no name. */
const READ_MODEL = 'budgeting';
/** MongoDB takes names of at most 63 bytes, and the longest of ours adds `_budgeting_access`. */
const PREFIX_LENGTH_MAX = 46;
/** MongoDB keeps these for itself; as a path, they mostly name the database that knows the user. */
const RESERVED: readonly string[] = ['admin', 'config', 'local'];

export interface DatabaseNames {
  readonly readModel: string;
  /** Returns the name of another database of this deployment. */
  of(name: string): string;
}

/**
 * Receives the address without user and options, because a refusal shows its path.
 *
 * @throws UserError when the path is no name that the databases can begin with
 */
export function databaseNames(address: string): DatabaseNames {
  const path = pathOf(address);
  const of = (name: string) => (path === '' || path === READ_MODEL ? name : `${path}_${name}`);
  return { readModel: of(READ_MODEL), of };
}

function pathOf(address: string): string {
  const [, path = ''] = /^[^:]+:\/\/[^/]*\/(.*)$/s.exec(address) ?? [];
  if (path === '') return '';
  const shown = JSON.stringify(path.slice(0, 2 * PREFIX_LENGTH_MAX));
  if (RESERVED.includes(path.toLowerCase())) {
    throw refusal(
      `Expected the path of MONGODB_URL to be another database name than admin, config and local, got ${shown}: to sign in by ${path}, leave it out and add authSource=${path}`,
    );
  }
  if (/^[A-Za-z0-9_-]+$/.test(path) && path.length <= PREFIX_LENGTH_MAX) return path;
  throw refusal(
    `Expected the path of MONGODB_URL to be a database name of at most ${PREFIX_LENGTH_MAX} of A–Z a–z 0–9 _ -, or none, got ${shown}`,
  );
}
