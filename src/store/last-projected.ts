// Finds the highest offset ever projected. If there is one, an empty event log has lost its records: it is not new.
import { generationCollections } from './collections.ts';
import { readRegistry } from './registry.ts';
import type { ReadDatabase } from './snapshot.ts';

export interface LastProjected {
  readonly partition: number;
  /** Offset of the last event that was projected from the partition. */
  readonly offset: number;
}

/** Returns the highest offset over all generations and partitions, or null when nothing was projected. */
export async function lastProjected(database: ReadDatabase): Promise<LastProjected | null> {
  const { generations } = await readRegistry(database);
  let last: LastProjected | null = null;
  for (const { id } of generations) {
    const { checkpoints } = generationCollections(database, id);
    const [highest] = await checkpoints.find().sort({ next: -1 }).limit(1).toArray();
    const offset = (highest?.next ?? 0) - 1;
    if (highest && offset > (last?.offset ?? -1)) last = { partition: highest._id, offset };
  }
  return last;
}
