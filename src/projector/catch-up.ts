// How far the projector is behind the log.
import { allBounds, type EventLog, type LogBounds } from '../event-log/event-log.ts';
import type { GenerationCollections, StoredCheckpoint } from '../store/collections.ts';

const POLL_MS_MIN = 50;
const POLL_MS_MAX = 500;
/** All projectors of a generation together apply fewer. */
const EVENTS_PER_MS_MAX = 100;

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
  readonly bounds: LogBounds;
}

export async function progressOf(
  { checkpoints }: GenerationCollections,
  eventLog: EventLog,
): Promise<Progress> {
  const stored = await checkpoints.find().toArray();
  return sumOf(partitionsProgress(stored, await allBounds(eventLog)));
}

/** Returns how far each partition of a log with these bounds is applied, in order. */
export function partitionsProgress(
  checkpoints: readonly Pick<StoredCheckpoint, '_id' | 'next'>[],
  bounds: readonly LogBounds[],
): PartitionProgress[] {
  const nexts = new Map(checkpoints.map(({ _id, next }) => [_id, next]));
  return bounds.map((own, partition) => {
    return { partition, next: nexts.get(partition) ?? null, bounds: own };
  });
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
export function appliedOf({ start, end }: LogBounds, next = start): number {
  return Math.min(end, Math.max(start, next)) - start;
}

/** Returns how long to wait before asking again: less than any projector needs for the missing events, but a minimum. */
export function pollMsOf(missing: number): number {
  return Math.min(POLL_MS_MAX, Math.max(POLL_MS_MIN, missing / EVENTS_PER_MS_MAX));
}
