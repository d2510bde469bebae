// What follows a batch: the next one, another look at a hole, or the end of this process's part in the partition.
import type { Batch, Outcome } from '../event-log/event-log.ts';
import { FencedError } from '../read-store/commit.ts';
import { type Line, settled } from './line.ts';
import { DataLossError } from './log-damage.ts';
import { applyBatch, halted, heal, type PartitionContext } from './partition.ts';
import { isPause, whileResumed } from './pause.ts';

/** A partition that this process has: what it claimed, and the line of work on it. */
export interface Held {
  readonly context: PartitionContext;
  readonly line: Line;
  /** The offset that was asked for once more, because a batch began above it. */
  sought: number | null;
  /** What the watch over the log found wrong with the partition: nothing more is applied. */
  damage: DataLossError | null;
}

/**
 * Applies what is due of a batch. A log that begins above twice has a hole, and nothing goes on over it. Where the
 * generation is paused, it waits for the resume here, and the log hands the same records over again.
 */
export async function takeBatch(held: Held, batch: Batch): Promise<Outcome> {
  const { context, line } = held;
  const { partition, from } = batch;
  const { next } = line.claim;
  if (held.damage !== null) return 'halt';
  try {
    if (from > next && held.sought === next) {
      const message = `expected offset ${next} next, but the log goes on at ${from}`;
      throw new DataLossError(context.log, partition, message);
    }
    if (from > next) {
      held.sought = next;
      return next;
    }
    await applyBatch(context, line, batch);
    return line.claim.next;
  } catch (error) {
    if (error instanceof DataLossError) {
      await halted(context, line.claim, error);
      return 'halt';
    }
    if (isPause(error)) {
      await waitForResume(held, batch, error);
      return line.claim.next;
    }
    if (!(error instanceof FencedError)) throw error;
    context.logger.warn({ partition, next }, error.message);
    return 'lost';
  }
}

async function waitForResume(
  { context, line }: Held,
  batch: Batch,
  error: Parameters<typeof whileResumed>[2],
): Promise<void> {
  const { store, logger, turns } = context;
  const { claim, carried } = line;
  turns.end(claim.partition);
  await carried.quiet();
  carried.forget();
  const signal = AbortSignal.any([context.signal, batch.signal]);
  const { heartbeat } = batch;
  const waiter = { collections: store.collections, logger, signal, heartbeat, claim };
  // What followed the last chunk may not have been done.
  await whileResumed(waiter, () => heal(context, claim.partition), error);
}

/** Waits for what is on its way to the store: nothing of it may be under way when the partition is another's. */
export async function leave({ context, line }: Held): Promise<void> {
  context.turns.end(line.claim.partition);
  await settled(context, line).catch(error => {
    // Whoever has the partition next finds the checkpoint where it was.
    context.logger.debug({ err: error }, 'The last chunk was not applied');
  });
}
