// The registry names the generation that readers answer from. A reader reads it with each request.
import type { Db } from 'mongodb';

export interface Registry {
  _id: 'registry';
  /** Id of the active generation: the prefix of its collections. */
  active: string;
}

/** The id of the active generation, or null when no read model is built yet. */
export async function activeGeneration(db: Db): Promise<string | null> {
  const registry = await db.collection<Registry>('registry').findOne({ _id: 'registry' });
  return registry?.active ?? null;
}
