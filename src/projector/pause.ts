// The parking alarm in the projector: it pauses the generation, then waits until an operator resumes it.
import { delay } from '../process/waiting.ts';
import type { GenerationCollections, Pause } from '../store/collections.ts';
import { type RetryOptions, retried } from '../store/retry.ts';
import type { Claim } from '../store/writing/checkpoints.ts';
import {
  freeCheckpoint,
  PausedError,
  pauseCheckpoints,
  pauseGeneration,
  readPause,
  TooManyParkedError,
} from '../store/writing/parking-alarm.ts';

const POLL_MS = 1000;

/** What pausing and waiting need. The signal ends the wait; the heartbeat is called at each poll. */
export interface PauseContext extends RetryOptions {
  readonly collections: GenerationCollections;
  /** The claim of the partition that waits. The wait ends when another process claims it. */
  readonly claim?: Claim;
}

/** The error by which a fold or a commit meets a pause, or has to pause the generation. */
export type PauseCause = PausedError | TooManyParkedError;

export function isPause(error: unknown): error is PauseCause {
  return error instanceof PausedError || error instanceof TooManyParkedError;
}

/**
 * Runs work as soon as the generation is not paused, and again after the resume when the work meets a pause or pauses
 * the generation by parking too many streams. Returns false when the wait ended before the resume.
 *
 * @param met the pause that the caller has met already
 */
export async function runUnpaused(
  context: PauseContext,
  work: () => Promise<unknown>,
  met?: PauseCause,
): Promise<boolean> {
  for (let error = met; ; ) {
    if (error instanceof TooManyParkedError) await pause(context, error);
    if (!(await waitForResume(context))) return false;
    try {
      await work();
      return true;
    } catch (failure) {
      if (!isPause(failure)) throw failure;
      error = failure;
    }
  }
}

async function pause(context: PauseContext, error: TooManyParkedError): Promise<void> {
  const { collections, logger } = context;
  // The reasons stay out of the log: they may quote values of events.
  const streams = error.examples.map(({ stream }) => stream);
  logger.fatal({ streams }, `Projecting is paused: ${error.message}`);
  await retried(() => pauseGeneration(collections, error), context);
}

/** Returns false when the wait ended before the resume. */
async function waitForResume(context: PauseContext): Promise<boolean> {
  const { collections, logger, signal, heartbeat, claim } = context;
  const partition = claim?.partition;
  const readCurrent = () =>
    claim ? freeCheckpoint(collections, claim.partition) : readPause(collections);
  for (let waited = false; !signal.aborted; waited = true) {
    const found: Pause | null = await retried(readCurrent, context);
    if (!found) {
      if (waited) logger.warn({ partition }, 'An operator has resumed projecting');
      return true;
    }
    if (!waited) {
      logger.warn(
        { partition },
        `Projecting is paused: ${found.reason}; budgeting parked resume ends it`,
      );
      // The process that paused the alarm may have been killed before it paused the checkpoints.
      await retried(() => pauseCheckpoints(collections), context);
    }
    if (claim && (await isClaimedByAnother(context, claim))) return false;
    await heartbeat?.();
    await delay(POLL_MS, signal);
  }
  return false;
}

async function isClaimedByAnother(
  context: PauseContext,
  { partition, epoch }: Claim,
): Promise<boolean> {
  const read = () => context.collections.checkpoints.findOne({ _id: partition });
  const checkpoint = await retried(read, context);
  return checkpoint?.epoch !== epoch;
}
