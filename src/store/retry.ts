// Retries operations that failed because of the infrastructure, with back-off and jitter.
import type { Db } from 'mongodb';
import { awayLine, reasonOf } from '../process/describe-error.ts';
import type { Logger } from '../process/log.ts';
import { delay } from '../process/waiting.ts';
import { isTransient } from './database-errors.ts';
import { endLockers } from './open-sessions.ts';

const WAIT_MS_MIN = 50;
const WAIT_MS_MAX = 5000;
/** Attempts of a command, some ten seconds: an event that comes between its read and the commit changes the head. */
const ATTEMPTS_MAX = 10;
/** Where each attempt waits for a server that is away. */
const FAILING_MS_MAX = 20_000;

/** Returns the wait after a number of failures in a row, in milliseconds: 25 to 5000. */
export function backOffMs(failures: number): number {
  const waitMs = Math.min(WAIT_MS_MIN * 2 ** failures, WAIT_MS_MAX);
  return Math.round(waitMs * (0.5 + Math.random() / 2));
}

export interface RetryOptions {
  readonly logger: Logger;
  /** Ends the retries: the last error is thrown. */
  readonly signal: AbortSignal;
  /** Called before each wait, because a process that waits for a server is not stuck. */
  readonly heartbeat?: (() => Promise<void>) | undefined;
}

/**
 * Runs until it succeeds, and returns the result.
 *
 * @throws the last error, when a retry cannot help or the signal has aborted
 */
export async function retried<T>(run: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal } = options;
  for (let failures = 0; ; failures += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error;
      await backOff(options, failures, error);
      if (signal.aborted) throw error;
    }
  }
}

/** Waits after a number of failures in a row, or until the signal aborts. */
export async function backOff(
  { logger, signal, heartbeat }: RetryOptions,
  failures: number,
  error: unknown,
): Promise<void> {
  const retryInMs = backOffMs(failures);
  // A conflict that passes at once is normal: at a first build new collections refuse their first transactions.
  const level = failures === 0 ? 'debug' : 'warn';
  logger[level](
    { reason: reasonOf(error), retryInMs },
    `The database refused an operation (failure ${failures + 1} in a row): retry in ${retryInMs} ms, and so on until it succeeds or the process stops`,
  );
  await heartbeat?.();
  await delay(retryInMs, signal);
}

interface Failures {
  /** In a row, from 1. */
  readonly failures: number;
  readonly error: unknown;
  /** When they began, on the clock of `performance`. */
  readonly sinceMs: number;
}

/** Returns whether a command stops trying. */
export function hasFailedLong({ failures, error, sinceMs }: Failures): boolean {
  const isLong = performance.now() - sinceMs > FAILING_MS_MAX;
  return failures >= ATTEMPTS_MAX || (failures > 1 && isLong && awayLine(error) !== null);
}

/**
 * Retries a command's commit that conflicts with another transaction.
 *
 * @param refuse throws when there is no use in another attempt
 */
export async function untilStored<T>(
  db: Db,
  commit: () => Promise<T>,
  refuse?: (error: unknown) => Promise<void>,
): Promise<T> {
  const sinceMs = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await commit();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await refuse?.(error);
      if (hasFailedLong({ failures, error, sinceMs })) throw error;
      await endLockers({ db }, { failures, error });
    }
    await delay(backOffMs(failures - 1));
  }
}
