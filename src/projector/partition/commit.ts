// A write on its way to the store, and what became of it.
import { type Claim, readCheckpoint } from '../../read-store/checkpoints.ts';
import type { StoredCheckpoint } from '../../read-store/collections.ts';
import { FencedError, StaleError } from '../../read-store/database-errors.ts';
import { PausedError } from '../../read-store/parking-alarm.ts';
import { retried } from '../../read-store/retry.ts';
import type { PartitionContext } from './context.ts';

/** A chunk on its way to the store: as a transaction, or as a part of one. */
export interface Commit {
  /** Where the transaction began. */
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

/** What the store holds after a write that failed. */
export interface Resolved {
  /**
   * Everything below its `next` is stored, and nothing else. An earlier commit that was believed lost may have taken
   * place since, so this need not be where the write began or ended.
   */
  readonly claim: Claim;
  /** Why the write is not stored; null when it is. */
  readonly failure: Failure | null;
}

/** Reads the checkpoint after a write failed, because the error does not tell whether the write took place. */
export async function resolved(
  context: PartitionContext,
  range: Pick<Commit, 'from' | 'to'>,
  failure: Failure,
): Promise<Resolved> {
  const { checkpoints } = context.store.collections;
  const read = () => readCheckpoint(checkpoints, range.from.partition);
  return resolve(await retried(read, context), range, failure);
}

/** Decides what a checkpoint means for a write that failed before it was read. Pure. */
export function resolve(
  checkpoint: Pick<StoredCheckpoint, 'epoch' | 'next' | 'fingerprints' | 'paused'> | null,
  { from, to }: Pick<Commit, 'from' | 'to'>,
  failure: Failure,
): Resolved {
  const { partition, epoch } = to;
  const isFenced = failure.error instanceof FencedError;
  if (checkpoint?.epoch !== epoch) {
    const lost = new FencedError(`Partition ${partition} is not under epoch ${epoch}`);
    return { claim: from, failure: isFenced ? failure : { error: lost } };
  }
  const { next, fingerprints, paused } = checkpoint;
  const claim = { ...to, next, fingerprints };
  if (next >= to.next) return { claim, failure: null };
  if (!isFenced) return { claim, failure };
  // The owner's own checkpoint refuses a write while it is paused, and when it is not where the write began.
  const error =
    paused === undefined
      ? new StaleError(`Partition ${partition} is at offset ${next}, not at ${from.next}`)
      : new PausedError(`Partition ${partition} is paused`);
  return { claim, failure: { error } };
}
