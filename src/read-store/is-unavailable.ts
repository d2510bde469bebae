// Distinguishes a database that is unreachable, too slow or changing its primary from other errors.
import { MongoError, MongoNetworkError, MongoServerError, MongoSystemError } from 'mongodb';

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

/** Returns whether the same request may succeed a little later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (error instanceof MongoServerError) return PASSING_CODES.has(Number(error.code));
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoSystemError ||
    PASSING_NAMES.has(error.name)
  );
}
