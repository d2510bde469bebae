// Retries what failed for reasons of infrastructure, with back-off and jitter, for as long as it takes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { isTransient } from '../read-store/commit.ts';

const WAIT_MS_MIN = 50;
const WAIT_MS_MAX = 5000;

/** How long to wait after so many failures in a row, in milliseconds. */
export function backOffMs(failures: number): number {
  const waitMs = Math.min(WAIT_MS_MIN * 2 ** failures, WAIT_MS_MAX);
  return Math.round(waitMs * (0.5 + Math.random() / 2));
}

/**
 * Runs until it succeeds, fails for a reason that no retry mends, or the signal aborts.
 *
 * @param heartbeat told at each wait: who waits for a server does not stand still
 */
export async function retried<T>(
  run: () => Promise<T>,
  logger: Log,
  signal: AbortSignal,
  heartbeat: () => Promise<void> = async () => {},
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error;
      await backOff({ logger, signal, heartbeat }, failures, error);
      if (signal.aborted) throw error;
    }
  }
}

export interface BackOffContext {
  readonly logger: Log;
  readonly signal: AbortSignal;
  readonly heartbeat?: () => Promise<void>;
}

/** Waits after so many failures in a row, or until the signal aborts. */
export async function backOff(
  { logger, signal, heartbeat }: BackOffContext,
  failures: number,
  error: unknown,
): Promise<void> {
  const retryInMs = backOffMs(failures);
  logger.warn({ err: error, retryInMs }, 'The database did not take it, trying again');
  await heartbeat?.();
  await sleep(retryInMs, undefined, { signal }).catch(() => {});
}
