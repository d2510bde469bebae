// Retries work that failed because of the infrastructure, with back-off and jitter.
import { delay } from '../delay.ts';
import type { Log } from '../log.ts';
import { isTransient } from './commit.ts';

const WAIT_MS_MIN = 50;
const WAIT_MS_MAX = 5000;

/** Returns how long to wait after so many failures in a row, in milliseconds. */
export function backOffMs(failures: number): number {
  const waitMs = Math.min(WAIT_MS_MIN * 2 ** failures, WAIT_MS_MAX);
  return Math.round(waitMs * (0.5 + Math.random() / 2));
}

export interface RetryOptions {
  readonly logger: Log;
  /** Ends the retries: the last error is thrown. */
  readonly signal: AbortSignal;
  /** Called at each wait: waiting for a server is no standstill. */
  readonly heartbeat?: (() => Promise<void>) | undefined;
}

/** Runs until it succeeds, fails for a reason that no retry mends, or the signal aborts. */
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

/** Waits after so many failures in a row, or until the signal aborts. */
export async function backOff(
  { logger, signal, heartbeat }: RetryOptions,
  failures: number,
  error: unknown,
): Promise<void> {
  const retryInMs = backOffMs(failures);
  logger.warn({ err: error, retryInMs }, 'The database did not take it, trying again');
  await heartbeat?.();
  await delay(retryInMs, signal);
}
