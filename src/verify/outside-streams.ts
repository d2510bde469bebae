// Differences that belong to no stream: missing indexes, stored documents and queues that nothing points to, and the
// quarantine, which must hold every record that belongs to no stream, and no other.
import { type Delivery, storedDelivery } from '../projector/fold/delivery.ts';
import { quarantineReason } from '../projector/fold/fold.ts';
import type { StoredQuarantined } from '../store/collections.ts';
import { isBuild } from '../store/generation-plan.ts';
import { readRegistry } from '../store/registry.ts';
import {
  type Orphan,
  orphanQueues,
  orphanSets,
  orphanShadowSets,
  outsidePartitions,
  sharedSets,
} from '../store/stored-sets.ts';
import { missingIndexes } from '../store/writing/indexes.ts';
import { type Difference, fieldsThatDiffer } from './difference.ts';
import type { VerifySource } from './source.ts';

/** Returns a difference for each missing index; none for a build, which gets some of them at its end. */
export async function compareIndexes(source: VerifySource): Promise<Difference[]> {
  const { database, generation, store } = source;
  const { generations } = await readRegistry(database);
  if (generations.some(own => own.id === generation && isBuild(own))) return [];
  const missing = await missingIndexes(store.collections);
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

export interface Quarantine {
  /** Records as they should be stored, by id. */
  readonly expected: ReadonlyMap<string, StoredQuarantined>;
  expect(delivery: Delivery): void;
}

export function createQuarantine(): Quarantine {
  const expected = new Map<string, StoredQuarantined>();
  return {
    expected,
    expect(delivery) {
      const id = `${delivery.partition}/${delivery.offset}`;
      const reason = quarantineReason(delivery);
      expected.set(id, { ...storedDelivery(id, delivery), value: '', reason });
    },
  };
}

export function compareQuarantine(
  { expected }: Quarantine,
  stored: ReadonlyMap<string, StoredQuarantined>,
): Difference[] {
  const found: Difference[] = [];
  for (const [id, record] of expected) {
    const stream = record.subject;
    const is = stored.get(id);
    if (is) {
      for (const one of fieldsThatDiffer(`quarantine/${id}`, record, is)) {
        found.push({ stream, ...one });
      }
    } else {
      const what = `quarantine/${id}`;
      found.push({ stream, what, expected: JSON.stringify(record), stored: null });
    }
  }
  for (const [id, record] of stored) {
    if (expected.has(id)) continue;
    const what = `quarantine/${id}`;
    found.push({ stream: record.subject, what, expected: null, stored: JSON.stringify(record) });
  }
  return found;
}
