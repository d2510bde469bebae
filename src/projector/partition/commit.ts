// A write on its way to the store, and what became of it.
import { type Claim, readCheckpoint } from '../../read-store/checkpoints.ts';
import { FencedError } from '../../read-store/database-errors.ts';
import { PausedError } from '../../read-store/parking-alarm.ts';
import { retried } from '../../read-store/retry.ts';
import type { PartitionContext } from './context.ts';

/** A chunk on its way to the store: as a transaction, or as a part of one. */
export interface Commit {
  /** Where the claim goes back to if the write fails: where the transaction began. */
  readonly from: Claim;
  /** The claim once it is stored. */
  readonly to: Claim;
  /** Why it failed, null once it is written; never rejects. */
  readonly failure: Promise<Failure | null>;
}

export interface Failure {
  readonly error: unknown;
}

/** Begins a write. */
export function beginCommit(range: Omit<Commit, 'failure'>, write: () => Promise<void>): Commit {
  const failure = write().then(
    () => null,
    error => ({ error }),
  );
  return { ...range, failure };
}

/**
 * Returns null when the chunk is written, otherwise why not: a `PausedError` where the generation is paused. When the
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
