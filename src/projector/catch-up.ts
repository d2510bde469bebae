// How far the projector is behind the log.
import type { Bounds, EventLog } from '../event-log/event-log.ts';
import type { GenerationCollections, StoredCheckpoint } from '../read-store/collections.ts';

export interface Progress {
  /** Records applied and records there are, over all partitions. */
  readonly applied: number;
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

/** Records of a partition that are applied; a checkpoint beyond what the log holds (a loss of data) counts as its end. */
export function appliedOf({ start, end }: Bounds, next = start): number {
  return Math.min(end, Math.max(start, next)) - start;
}
