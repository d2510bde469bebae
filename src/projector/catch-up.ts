// How far the projector is behind the log.
import type { Bounds, EventLog } from '../event-log/event-log.ts';
import type { GenerationCollections, StoredCheckpoint } from '../read-store/collections.ts';

export interface Progress {
  /** Applied records of all partitions. */
  readonly applied: number;
  /** Records that the log holds, of all partitions. */
  readonly total: number;
}

/** How far a partition of the log is applied. */
export interface PartitionProgress {
  readonly partition: number;
  /** The next offset to apply; null before the first claim. */
  readonly next: number | null;
  readonly bounds: Bounds;
}

export async function progressOf(
  { checkpoints }: GenerationCollections,
  eventLog: EventLog,
): Promise<Progress> {
  return sumOf(await partitionsProgress(await checkpoints.find().toArray(), eventLog));
}

/** Returns how far each partition of the log is applied, in order. */
export async function partitionsProgress(
  checkpoints: readonly Pick<StoredCheckpoint, '_id' | 'next'>[],
  eventLog: EventLog,
): Promise<PartitionProgress[]> {
  const nexts = new Map(checkpoints.map(({ _id, next }) => [_id, next]));
  const partitions: PartitionProgress[] = [];
  for (let partition = 0; partition < (await eventLog.partitions()); partition += 1) {
    const next = nexts.get(partition) ?? null;
    partitions.push({ partition, next, bounds: await eventLog.bounds(partition) });
  }
  return partitions;
}

export function sumOf(partitions: readonly PartitionProgress[]): Progress {
  let [applied, total] = [0, 0];
  for (const { next, bounds } of partitions) {
    applied += appliedOf(bounds, next ?? undefined);
    total += bounds.end - bounds.start;
  }
  return { applied, total };
}

/**
 * Returns how many records of a partition are applied. A checkpoint beyond the end of the log (data loss) counts as the
 * end.
 */
export function appliedOf({ start, end }: Bounds, next = start): number {
  return Math.min(end, Math.max(start, next)) - start;
}
