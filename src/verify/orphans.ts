// Finds stored documents and queues that nothing points to. Only a verification of everything can know that.
import {
  type Orphan,
  orphanQueues,
  orphanSets,
  orphanShadowSets,
  outsidePartitions,
  sharedSets,
} from '../store/stored-sets.ts';
import type { Difference } from './difference.ts';
import type { VerifySource } from './source.ts';

export async function findOrphans(source: VerifySource): Promise<Difference[]> {
  const { database, generation, store, eventLog } = source;
  const stored = await store.collections.checkpoints.find().toArray();
  // A missing checkpoint is reported as such, not as orphans of its partition.
  const partitions = new Set(stored.map(({ _id }) => _id));
  for (let partition = 0; partition < (await eventLog.partitions()); partition += 1) {
    partitions.add(partition);
  }
  const orphans: Orphan[] = [
    ...(await orphanSets(database, generation)),
    ...(await sharedSets(database, generation)),
    ...(await orphanShadowSets(database, generation)),
    ...(await orphanQueues(database, generation)),
    ...(await outsidePartitions(database, generation, [...partitions])),
  ];
  return orphans.map(({ stream, what }) => ({ stream, what, expected: null, stored: null }));
}
