// Differences that belong to no stream: missing indexes, stored documents and queues that nothing points to, and the
// quarantine, which must hold every record that belongs to no stream, and no other.
import type { StoredQuarantined } from '../store/collections.ts';
import { isBuild } from '../store/generation-plan.ts';
import { readRegistry } from '../store/registry.ts';
import { requireKept } from '../store/snapshot.ts';
import {
  type Orphan,
  orphanQueues,
  orphanSets,
  orphanShadowSets,
  outsidePartitions,
  sharedSets,
} from '../store/stored-sets.ts';
import { missingIndexes } from '../store/writing/indexes.ts';
import { type Difference, fieldsThatDiffer, pairsOf } from './difference.ts';
import type { VerifySource } from './source.ts';

/** Returns a difference for each missing index; none for a build, which gets some of them at its end. */
export async function compareIndexes(source: VerifySource): Promise<Difference[]> {
  const { database, generation, store } = source;
  const { generations } = await readRegistry(database);
  if (generations.some(own => own.id === generation && isBuild(own))) return [];
  const missing = await missingIndexes(store.collections);
  // Of one that was dropped meanwhile all are missing.
  await requireKept(database, generation);
  return missing.map(index => {
    const what = `index of ${index} is missing; a running projector builds it within a minute`;
    return { stream: '', what, expected: null, stored: null };
  });
}

/** Finds stored documents and queues that nothing points to. Only a verification of everything can know that. */
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

/** @param expected records as they should be stored, by id */
export function compareQuarantine(
  expected: ReadonlyMap<string, StoredQuarantined>,
  stored: ReadonlyMap<string, StoredQuarantined>,
): Difference[] {
  return pairsOf(expected, stored).flatMap(({ id, either: { subject: stream }, should, is }) =>
    fieldsThatDiffer(`quarantine/${id}`, should, is).map(one => ({ stream, ...one })),
  );
}
