// How far the projector is behind the log.
import type { Bounds, EventLog } from '../event-log/event-log.ts';
import type { GenerationCollections } from '../read-store/collections.ts';

export interface Progress {
  /** Records applied and records there are, over all partitions. */
  readonly applied: number;
  readonly total: number;
}

export async function progressOf(
  { checkpoints: stored }: GenerationCollections,
  log: EventLog,
): Promise<Progress> {
  const checkpoints = await stored.find().toArray();
  const nexts = new Map(checkpoints.map(({ _id, next }) => [_id, next]));
  let applied = 0;
  let total = 0;
  for (let partition = 0; partition < (await log.partitions()); partition += 1) {
    const bounds = await log.bounds(partition);
    total += bounds.end - bounds.start;
    applied += appliedOf(bounds, nexts.get(partition));
  }
  return { applied, total };
}

/** Records of a partition that are applied; a checkpoint beyond what the log holds (a loss of data) counts as its end. */
export function appliedOf({ start, end }: Bounds, next = start): number {
  return Math.min(end, Math.max(start, next)) - start;
}
