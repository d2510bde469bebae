// Streams that are held for work: for a big change, a rebuild, or until their queue is applied.
import type { GenerationCollections } from '../collections.ts';
import { type LeasedSet, leasedSets } from '../shadow-sets.ts';

/** A stream that is held for work, or has a shadow set. */
export interface StreamInWork {
  readonly subject: string;
  readonly partition: number;
  /** The last one that was applied; null for a stream with a shadow set. */
  readonly sequence: number | null;
  readonly work: LeasedSet | null;
}

/** Returns the streams of some partitions that are held for work. */
export async function streamsInWork(
  { heads, shadowSets }: Pick<GenerationCollections, 'heads' | 'shadowSets'>,
  partitions: readonly number[],
): Promise<StreamInWork[]> {
  const inThem = { partition: { $in: [...partitions] } };
  const held = await heads
    .find({ 'held.why': 'change', ...inThem }, { projection: { partition: 1, sequence: 1 } })
    .toArray();
  const sets = await leasedSets(shadowSets, inThem);
  const withSet = new Set(sets.map(({ subject }) => subject));
  const alone = held.filter(({ _id }) => !withSet.has(_id));
  return [
    ...sets.map(work => ({ ...work, sequence: null, work })),
    ...alone.map(({ _id, ...head }) => ({ subject: _id, ...head, work: null })),
  ];
}
