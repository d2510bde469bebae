// What a projector does about the parking alarm: it pauses the generation, and waits until an operator resumes it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Claim } from '../read-store/checkpoints.ts';
import type { GenerationCollections } from '../read-store/collections.ts';
import {
  freeCheckpoint,
  PausedError,
  pauseCheckpoints,
  pauseGeneration,
  readPause,
  TooManyParkedError,
} from '../read-store/parking-alarm.ts';
import type { Pause } from '../read-store/stored-alarm.ts';
import { retried } from './retry.ts';

const POLL_MS = 1000;

/** Who waits. */
export interface Waiter {
  readonly collections: GenerationCollections;
  readonly logger: Log;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called at each poll: who waits for an operator does not stand still. */
  readonly heartbeat?: (() => Promise<void>) | undefined;
  /** The wait ends too when another process claims the partition. */
  readonly claim?: Claim;
}

export function isPause(error: unknown): error is PausedError | TooManyParkedError {
  return error instanceof PausedError || error instanceof TooManyParkedError;
}

/**
 * Runs work once the generation is not paused. Work that meets a pause, or that would park too many streams and so
 * pauses the generation, runs again after the resume. Returns false when the wait ended before the resume.
 *
 * @param met the pause that the caller has met already
 */
export async function whileResumed(
  waiter: Waiter,
  work: () => Promise<unknown>,
  met?: PausedError | TooManyParkedError,
): Promise<boolean> {
  for (let error = met; ; ) {
    if (error instanceof TooManyParkedError) await pause(waiter, error);
    if (!(await resumed(waiter))) return false;
    try {
      await work();
      return true;
    } catch (failure) {
      if (!isPause(failure)) throw failure;
      error = failure;
    }
  }
}

async function pause(
  { collections, logger, signal, heartbeat }: Waiter,
  error: TooManyParkedError,
): Promise<void> {
  // The reasons stay out of the log: they may hold somebody's own words.
  const streams = error.examples.map(({ stream }) => stream);
  logger.fatal({ streams }, `Projecting is paused: ${error.message}`);
  await retried(() => pauseGeneration(collections, error), logger, signal, heartbeat);
}

/** Waits for the resume; false when the wait ended before. */
async function resumed(waiter: Waiter): Promise<boolean> {
  const { collections, logger, signal, heartbeat, claim } = waiter;
  const partition = claim?.partition;
  const look = () =>
    claim ? freeCheckpoint(collections, claim.partition) : readPause(collections);
  for (let waited = false; !signal.aborted; waited = true) {
    const found: Pause | null = await retried(look, logger, signal, heartbeat);
    if (!found) {
      if (waited) logger.warn({ partition }, 'An operator has resumed projecting');
      return true;
    }
    if (!waited) {
      logger.warn(
        { partition },
        `Projecting is paused: ${found.reason}; budgeting parked resume ends it`,
      );
      // A process that was killed may have paused the alarm alone.
      await retried(() => pauseCheckpoints(collections), logger, signal, heartbeat);
    }
    if (claim && (await isTaken(waiter, claim))) return false;
    await heartbeat?.();
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return false;
}

async function isTaken(
  { collections, logger, signal, heartbeat }: Waiter,
  { partition, epoch }: Claim,
): Promise<boolean> {
  const read = () => collections.checkpoints.findOne({ _id: partition });
  const checkpoint = await retried(read, logger, signal, heartbeat);
  return checkpoint?.epoch !== epoch;
}
