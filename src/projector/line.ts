// The line of chunks of a claimed partition: while one chunk is committed, the next one is folded upon it.
import { type Claim, readCheckpoint } from '../read-store/checkpoints.ts';
import { isTransient } from '../read-store/commit.ts';
import { type Chunk, commitChunk, type FoldedChunk, foldChunk } from './apply-chunk.ts';
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
  { store, alarm, logger, signal, heartbeat }: PartitionContext,
  { claim, carried }: Line,
  chunk: Chunk,
  limits: WorkLimits,
): Promise<FoldedChunk> {
  const fold = () => foldChunk(store, claim, chunk, limits, alarm, carried);
  return retried(fold, logger, signal, heartbeat);
}

/** Begins the commit of a chunk, the one before it being settled. `startedAtMs` is when work on it began. */
export function beginCommit(
  { store, alarm, logger, metrics }: PartitionContext,
  line: Line,
  folded: FoldedChunk,
  startedAtMs: number,
): void {
  const { next, fingerprints, counts } = folded.applied;
  const from = line.claim;
  const commit = async () => {
    await commitChunk(store, folded, alarm);
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
 */
export async function settled(context: PartitionContext, line: Line): Promise<boolean> {
  const { committing } = line;
  if (!committing) return true;
  const failed = await committing.failure;
  line.committing = null;
  if (!failed || (await tookPlace(context, committing))) {
    line.failures = 0;
    return true;
  }
  line.claim = committing.from;
  line.carried.forget();
  if (!isTransient(failed.error)) throw failed.error;
  line.failures += 1;
  await backOff(context, line.failures - 1, failed.error);
  return false;
}

async function tookPlace(
  { store, logger, signal, heartbeat }: PartitionContext,
  { from, next }: Committing,
): Promise<boolean> {
  const read = () => readCheckpoint(store.collections.checkpoints, from.partition);
  const checkpoint = await retried(read, logger, signal, heartbeat);
  return checkpoint?.next === next && checkpoint.epoch === from.epoch;
}
