// The line of chunks of a claimed partition: while one chunk is committed, the next one is folded upon it.
import { type Claim, readCheckpoint } from '../read-store/checkpoints.ts';
import type { StoredCheckpoint } from '../read-store/collections.ts';
import { FencedError, isTransient } from '../read-store/commit.ts';
import { PausedError } from '../read-store/parking-alarm.ts';
import { type Chunk, type FoldedChunk, foldChunk } from './apply-chunk.ts';
import { type Carried, createCarried } from './carried.ts';
import type { PartitionContext } from './partition.ts';
import { backOff, retried } from './retry.ts';
import type { WorkLimits } from './work.ts';

export interface Line {
  /** Up to where everything is folded; the last chunk may still be on its way to the store. */
  claim: Claim;
  readonly carried: Carried;
  committing: Committing | null;
  /** Whether a chunk is in work: folded, or waiting for the commit before it. */
  folding: boolean;
  /** Commits that failed since the last one that did not. */
  failures: number;
}

interface Committing {
  /** To go back to, should it fail. */
  readonly from: Claim;
  readonly next: number;
  /** Why it failed, null once it is done; never rejects. */
  readonly failure: Promise<{ readonly error: unknown } | null>;
}

export function createLine(claim: Claim): Line {
  const line: Line = {
    claim,
    carried: createCarried(async () => void (await line.committing?.failure)),
    committing: null,
    folding: false,
    failures: 0,
  };
  return line;
}

/** Folds what follows the line's end. */
export function foldNext(
  { store, logger, signal, heartbeat }: PartitionContext,
  { claim, carried }: Line,
  chunk: Chunk,
  limits: WorkLimits,
): Promise<FoldedChunk> {
  const fold = () => foldChunk(store, claim, chunk, limits, carried);
  return retried(fold, logger, signal, heartbeat);
}

/** Begins the commit of a chunk, the one before it being settled. `startedAtMs` is when work on it began. */
export function beginCommit(
  { store, logger, metrics }: PartitionContext,
  line: Line,
  folded: FoldedChunk,
  startedAtMs: number,
): void {
  const { next, fingerprints, counts } = folded.applied;
  const from = line.claim;
  const commit = async () => {
    await store.session.commit(folded.writes);
    logger.debug({ partition: from.partition, next, ...counts }, 'Chunk applied');
    metrics?.chunkApplied(counts, (performance.now() - startedAtMs) / 1000);
    return null;
  };
  line.carried.keep(folded.heads);
  line.committing = { from, next, failure: commit().catch(error => ({ error })) };
  line.claim = { ...from, next, fingerprints };
}

/**
 * Waits for the commit under way. When it failed and may succeed later, the line is back where it began, after a
 * while, and the answer is false. A commit whose result is unknown is settled here: the checkpoint says whether it
 * took place.
 *
 * @throws PausedError when the generation is paused; the line is back where it began
 */
export async function settled(context: PartitionContext, line: Line): Promise<boolean> {
  const { committing } = line;
  if (!committing) return true;
  const failed = await committing.failure;
  line.committing = null;
  const checkpoint = failed && (await checkpointOf(context, committing));
  if (!failed || isAt(checkpoint, committing, committing.next)) {
    line.failures = 0;
    return true;
  }
  line.claim = committing.from;
  line.carried.forget();
  // A fenced owner and a paused one fail alike; only the paused one's checkpoint is where it was.
  if (failed.error instanceof FencedError && checkpoint?.paused !== undefined) {
    const { partition, next } = committing.from;
    if (isAt(checkpoint, committing, next))
      throw new PausedError(`Partition ${partition} is paused`);
  }
  if (!isTransient(failed.error)) throw failed.error;
  line.failures += 1;
  await backOff(context, line.failures - 1, failed.error);
  return false;
}

function checkpointOf(
  { store, logger, signal, heartbeat }: PartitionContext,
  { from }: Committing,
): Promise<StoredCheckpoint | null> {
  const read = () => readCheckpoint(store.collections.checkpoints, from.partition);
  return retried(read, logger, signal, heartbeat);
}

function isAt(checkpoint: StoredCheckpoint | null, { from }: Committing, next: number): boolean {
  return checkpoint?.next === next && checkpoint.epoch === from.epoch;
}
