// Errors of the database, which of them pass by themselves, and a bound on how long a request waits for it: the driver
// has none for a whole operation.
import {
  MongoError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoSystemError,
} from 'mongodb';
import { errorCode } from '../process/errors.ts';

// Server errors that pass by themselves, with their names in MongoDB's error_codes.yml.
const PASSING_CODES: ReadonlySet<number> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  211, // KeyNotFound, while the cluster's clock keys are still missing
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11601, // Interrupted
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** TransactionTooLargeForCache: the server's cache has no room for what the transaction wrote. */
const TOO_LARGE_FOR_CACHE = 388;

/** Returns whether the server answered with this code (MongoDB's error_codes.yml). */
export function isCode(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code;
}

/** Returns whether a smaller transaction may succeed. */
export function isTooLarge(error: unknown): boolean {
  return isCode(error, TOO_LARGE_FOR_CACHE);
}

// The driver exports no class for some of these.
const PASSING_NAMES: ReadonlySet<string> = new Set([
  'MongoClientClosedError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
]);

// The driver passes errors of its sockets on as they are where it waits to write more.
const SOCKET_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);

/** Returns whether the same request may succeed a little later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return SOCKET_CODES.has(errorCode(error) ?? '');
  if (error instanceof MongoServerError) return PASSING_CODES.has(Number(error.code));
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoSystemError ||
    PASSING_NAMES.has(error.name)
  );
}

/** The checkpoint cannot be moved: the partition has another owner, or the generation is paused. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** Another process changed the stream or claimed the partition: the fold is stale and must run again. */
export class StaleError extends Error {
  override readonly name = 'StaleError';
}

/** The database did not answer in time. By its driver's name it counts as unavailable everywhere. */
export class DatabaseTimeoutError extends MongoOperationTimeoutError {}

/** Two processes inserted the same document. */
export const DUPLICATE_KEY = 11000;
/** The database may be fine: this process has closed its client. */
const CLOSED_HERE = /^Mongo(Client|Topology)Closed/;

/**
 * Returns whether a retry may succeed after this error: the database was unavailable, two transactions were in
 * conflict, or a transaction was too large, and the next attempt is smaller.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof StaleError) return true;
  if (!(error instanceof MongoError)) return isUnavailable(error);
  if (CLOSED_HERE.test(error.name)) return false;
  return (
    isUnavailable(error) ||
    error.hasErrorLabel('TransientTransactionError') ||
    error.hasErrorLabel('UnknownTransactionCommitResult') ||
    error.hasErrorLabel('RetryableWriteError') ||
    error.code === DUPLICATE_KEY ||
    isTooLarge(error)
  );
}

/** Settles as `work` does, or fails after `timeoutMs` with a DatabaseTimeoutError. What was begun is not undone. */
export async function withDeadline<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const timeOut = () => {
      const message = `Expected the database to answer within ${timeoutMs} ms, got no answer`;
      reject(new DatabaseTimeoutError(message));
    };
    // After this process itself stood still, timers run before an answer is read that came in time.
    timer = setTimeout(() => setImmediate(timeOut), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
