// An active generation, for tests that are not about builds.
import type { Db } from 'mongodb';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import {
  completeIndexes,
  createCollections,
  generationCollections,
} from '../../src/store/collections.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';

/** Returns the id of the active generation; on an empty database creates the first one. */
export async function ensureGeneration(db: Db): Promise<string> {
  const now = new Date();
  const { active } = await changeRegistry(db, registry => {
    if (registry.active !== null) return null;
    const made = withNew(registry, PROJECTIONS_VERSION, now);
    return switched(made, made.generations.at(-1)?.id ?? '', now);
  });
  if (active === null) throw new Error('Expected a generation that answers');
  await createCollections(db, active);
  // Readers need the indexes that a projector builds before a generation answers.
  await completeIndexes(generationCollections(db, active));
  return active;
}
