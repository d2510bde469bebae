// The registry names the generation that readers answer from. A reader reads it with each request.
import type { Db } from 'mongodb';
import { PROJECTIONS_VERSION } from '../../projections/project.ts';
import { createCollections } from './collections.ts';

export interface Registry {
  _id: 'registry';
  /** Id of the active generation: the prefix of its collections. */
  active: string;
  /** The version of the projections that made it. */
  version: number;
}

/** The id of the active generation, or null when no read model is built yet. */
export async function activeGeneration(db: Db): Promise<string | null> {
  const registry = await db.collection<Registry>('registry').findOne({ _id: 'registry' });
  return registry?.active ?? null;
}

/** The active generation; on an empty database the first one is made. */
export async function ensureGeneration(db: Db): Promise<string> {
  const known = await activeGeneration(db);
  const generation = known ?? 'g1';
  await createCollections(db, generation);
  if (known === null) {
    await db
      .collection<Registry>('registry')
      .updateOne(
        { _id: 'registry' },
        { $setOnInsert: { active: generation, version: PROJECTIONS_VERSION } },
        { upsert: true, writeConcern: { w: 'majority' } },
      );
  }
  return (await activeGeneration(db)) ?? generation;
}
