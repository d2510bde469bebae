// Follows all partitions of the folder, each on its own, one batch at a time.
import { UserError } from '../../process/errors.ts';
import {
  type BatchLimits,
  DamagedLogError,
  type LogRecord,
  type Outcome,
  type Subscriber,
} from '../event-log.ts';
import type { Cursor } from './cursor.ts';
import { boundsOf, type View } from './view.ts';

export interface FolderSubscriptionOptions {
  /** For messages. */
  readonly name: string;
  readonly view: View;
  readonly partitions: number;
  readonly openCursor: (partition: number) => Cursor;
  readonly limits: BatchLimits;
}

/**
 * Resolves after the signal aborts, or rejects with the first failure; in both cases after all partitions have stopped
 * and are given back.
 */
export async function followFolder(
  options: FolderSubscriptionOptions,
  subscriber: Subscriber,
  signal: AbortSignal,
): Promise<void> {
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  options.view.follow(stop);
  try {
    await options.view.refresh();
    const partitions = Array.from({ length: options.partitions }, (_, partition) => partition);
    const runs = partitions.map(partition =>
      followPartition({ ...options, partition, subscriber, stop }).catch(error => {
        failure.abort();
        throw error;
      }),
    );
    const failed = (await Promise.allSettled(runs)).find(run => run.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    failure.abort();
  }
}

interface PartitionOptions extends FolderSubscriptionOptions {
  readonly partition: number;
  readonly subscriber: Subscriber;
  readonly stop: AbortSignal;
}

// A folder has no group that could reassign the partition, so no heartbeat is needed.
const heartbeat = async () => {};

async function followPartition(options: PartitionOptions): Promise<void> {
  const { partition, subscriber, stop } = options;
  if (stop.aborted) return;
  const first = await subscriber.assigned(partition, heartbeat);
  // The subscriber wants nothing from this partition; the others continue.
  if (first === null) return;
  let next = first;
  const cursor = options.openCursor(partition);
  try {
    while (!stop.aborted) {
      const waits = subscriber.ready?.(partition, { heartbeat, signal: stop });
      if (waits === 'lost') throw claimLost(options.name, partition);
      await waits;
      const outcome = await deliverNext(options, cursor, next);
      if (outcome === 'halt') break;
      if (outcome === 'lost') throw claimLost(options.name, partition);
      next = outcome;
    }
  } finally {
    await cursor.close();
    await subscriber.revoked(partition);
  }
}

/** Delivers one batch. A function of its own, so that no record stays in memory while the next read waits. */
async function deliverNext(
  options: PartitionOptions,
  cursor: Cursor,
  next: number,
): Promise<Outcome> {
  const { partition, subscriber, stop } = options;
  const records = await nextRecords(options, cursor, next);
  if (typeof records === 'string') {
    await subscriber.damaged?.(partition, records);
    return 'halt';
  }
  const last = records.at(-1);
  if (last === undefined || stop.aborted) return 'halt';
  const bounds = boundsOf(options.view.current(partition));
  const range = { from: next, to: last.offset + 1 };
  return subscriber.batch({ partition, ...range, records, bounds, heartbeat, signal: stop });
}

/** Two processes follow the same folder; only the one that claimed the partition last can continue. */
function claimLost(name: string, partition: number): UserError {
  return new UserError(`Another process has taken partition ${partition} of ${name} over`);
}

/**
 * Waits for at least one record; returns none when the subscription stops, and a sentence where the subscriber wants to
 * know of damage.
 */
async function nextRecords(
  { name, view, limits, partition, subscriber, stop }: PartitionOptions,
  cursor: Cursor,
  next: number,
): Promise<LogRecord[] | string> {
  try {
    await view.grown(partition, next, stop);
    const current = view.current(partition);
    const { start, end } = boundsOf(current);
    if (next < start) {
      throw new UserError(
        `Partition ${partition} of ${name} begins at offset ${start}, expected offset ${next}`,
      );
    }
    return await cursor.read(current, { from: next, to: end }, limits);
  } catch (error) {
    if (!(error instanceof DamagedLogError && subscriber.damaged)) throw error;
    return error.message;
  }
}
