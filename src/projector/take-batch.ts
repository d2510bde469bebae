// What follows a batch: the next one, another look at a hole, or the end of this process's part in the partition.
import type { Batch, Outcome } from '../event-log/event-log.ts';
import type { Claim } from '../read-store/checkpoints.ts';
import { FencedError } from '../read-store/commit.ts';
import { DataLossError } from './claim.ts';
import { applyBatch, halted, type PartitionContext } from './partition.ts';

/** A partition that this process has: what it claimed, and the line of work on it. */
export interface Held {
  readonly context: PartitionContext;
  claim: Claim;
  /** The offset that was asked for once more, because a batch began above it. */
  sought: number | null;
}

/** Applies what is due of a batch. A log that begins above twice has a hole, and nothing goes on over it. */
export async function takeBatch(held: Held, batch: Batch): Promise<Outcome> {
  const { context } = held;
  const { partition, from } = batch;
  const { next } = held.claim;
  try {
    if (from > next && held.sought === next) {
      const message = `expected offset ${next} next, but the log goes on at ${from}`;
      throw new DataLossError(context.log, partition, message);
    }
    if (from > next) {
      held.sought = next;
      return next;
    }
    held.claim = await applyBatch(context, held.claim, batch);
    return held.claim.next;
  } catch (error) {
    if (error instanceof DataLossError) {
      halted(context, partition, error);
      return 'halt';
    }
    if (!(error instanceof FencedError)) throw error;
    context.logger.warn({ partition, next }, error.message);
    return 'lost';
  }
}
