// Compares the indexes of a generation with those that it should have.

import { isBuild } from '../store/generation-plan.ts';
import { readRegistry } from '../store/registry.ts';
import { missingIndexes } from '../store/writing/missing-indexes.ts';
import type { Difference } from './difference.ts';
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
