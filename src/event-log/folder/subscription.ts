// Follows all partitions of the folder: each by itself, one batch at a time.
import { UserError } from '../../errors.ts';
import type { BatchLimits, LogRecord, Subscriber } from '../event-log.ts';
import type { Cursor } from './cursor.ts';
import { boundsOf, type View } from './view.ts';

export interface SubscriptionOptions {
  /** For messages. */
  readonly name: string;
  readonly view: View;
  readonly partitions: number;
  readonly openCursor: (partition: number) => Cursor;
  readonly limits: BatchLimits;
}

/** Resolves after the signal; rejects with the first failure, once all partitions have stopped and are given back. */
export async function follow(
  options: SubscriptionOptions,
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
      followPartition(options, partition, subscriber, stop).catch(error => {
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

async function followPartition(
  options: SubscriptionOptions,
  partition: number,
  subscriber: Subscriber,
  stop: AbortSignal,
): Promise<void> {
  if (stop.aborted) return;
  const first = await subscriber.assigned(partition);
  // A partition that is not wanted is left alone; the others go on.
  if (first === null) return;
  let next = first;
  const cursor = options.openCursor(partition);
  try {
    while (!stop.aborted) {
      const records = await nextRecords(options, cursor, partition, next, stop);
      if (records.length === 0 || stop.aborted) break;
      const bounds = boundsOf(options.view.current(partition));
      // Nobody else can be given a partition of a folder, so there is nothing to keep alive.
      const heartbeat = async () => {};
      next = await subscriber.batch({ partition, records, bounds, heartbeat });
    }
  } finally {
    await cursor.close();
    await subscriber.revoked(partition);
  }
}

/** Waits for at least one record; none when the subscription stops. */
async function nextRecords(
  { name, view, limits }: SubscriptionOptions,
  cursor: Cursor,
  partition: number,
  next: number,
  stop: AbortSignal,
): Promise<LogRecord[]> {
  await view.grown(partition, next, stop);
  const current = view.current(partition);
  const { start, end } = boundsOf(current);
  if (next < start) {
    throw new UserError(
      `Partition ${partition} of ${name} begins at offset ${start}, expected offset ${next}`,
    );
  }
  return cursor.read(current, next, end, limits);
}
