// The collections of the active generation, through the test's own client.
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { type GenerationCollections, generationCollections } from '../../src/store/collections.ts';
import { readRegistry } from '../../src/store/registry.ts';

export const READ_MODEL = 'budgeting';
const ACTIVE_MS_MAX = 400_000;
const POLL_MS = 250;

/** Waits for a generation to be active. */
export async function activeCollections(client: MongoClient): Promise<GenerationCollections> {
  const database = client.db(READ_MODEL);
  const deadline = Date.now() + ACTIVE_MS_MAX;
  for (;;) {
    const { active } = await readRegistry(database);
    if (active !== null) return generationCollections(database, active);
    if (Date.now() > deadline) throw new Error('No generation is active');
    await sleep(POLL_MS);
  }
}
