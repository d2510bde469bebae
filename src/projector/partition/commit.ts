// The commit of a folded chunk, and what became of it.
import { type Claim, readCheckpoint } from '../../read-store/checkpoints.ts';
import { FencedError } from '../../read-store/database-errors.ts';
import { PausedError } from '../../read-store/parking-alarm.ts';
import { retried } from '../../read-store/retry.ts';
import type { FoldedChunk } from './chunk.ts';
import type { PartitionContext } from './context.ts';

/** A chunk on its way to the store. */
export interface Commit {
  /** Where the claim goes back to if the commit fails. */
  readonly from: Claim;
  /** The claim once it is stored. */
  readonly to: Claim;
  /** Why it failed, null once it is stored; never rejects. */
  readonly failure: Promise<Failure | null>;
}

export interface Failure {
  readonly error: unknown;
}

export interface ChunkStart {
  /** The claim that the chunk was folded from. */
  readonly from: Claim;
  /** When work on the chunk began, by the process's monotonic clock. */
  readonly startedAtMs: number;
}

export function beginCommit(
  { store, logger, metrics }: PartitionContext,
  { applied, writes }: FoldedChunk,
  { from, startedAtMs }: ChunkStart,
): Commit {
  const { next, fingerprints, counts } = applied;
  const write = async () => {
    await store.session.commit(writes);
    logger.debug({ partition: from.partition, next, ...counts }, 'Chunk applied');
    metrics?.chunkApplied(counts, (performance.now() - startedAtMs) / 1000);
    return null;
  };
  const failure = write().catch(error => ({ error }));
  return { from, to: { ...from, next, fingerprints }, failure };
}

/**
 * Returns null when the chunk is stored, otherwise why not: a `PausedError` where the generation is paused. When the
 * server's answer got lost, the checkpoint tells whether the commit took place.
 */
export async function failureOf(
  context: PartitionContext,
  { from, to, failure }: Commit,
): Promise<Failure | null> {
  const failed = await failure;
  if (!failed) return null;
  const { checkpoints } = context.store.collections;
  const checkpoint = await retried(() => readCheckpoint(checkpoints, from.partition), context);
  const isOurs = checkpoint?.epoch === from.epoch;
  if (isOurs && checkpoint.next === to.next) return null;
  // Another owner and a pause fail the commit alike; only a paused checkpoint is where it was.
  const isPaused = isOurs && checkpoint.next === from.next && checkpoint.paused !== undefined;
  if (!isPaused || !(failed.error instanceof FencedError)) return failed;
  return { error: new PausedError(`Partition ${from.partition} is paused`) };
}
