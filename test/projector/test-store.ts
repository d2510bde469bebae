// A projector's store in a database of the test's own, and its contents as comparable text.
import type { Db, MongoClient } from 'mongodb';
import { createDecisionLog } from '../../src/access/decisions.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import {
  completeIndexes,
  createCollections,
  generationCollections,
} from '../../src/read-store/collections.ts';
import { openCommitSession } from '../../src/read-store/commit.ts';

/** The read model and the decisions share one database here. */
export function testStore(client: MongoClient, database: string): Promise<ProjectorStore> {
  return openTestStore(client.db(database));
}

/** One generation, named here: what the registry says of it is no matter of the projector's. */
export async function openTestStore(db: Db, generation = 'g1'): Promise<ProjectorStore> {
  await createCollections(db, generation);
  const collections = generationCollections(db, generation);
  await completeIndexes(collections);
  return {
    collections,
    decisions: createDecisionLog(db),
    session: openCommitSession(db.client, collections),
  };
}

/** All documents of the read model, a line each, documents and keys in one order: equal means the same. */
export async function dump({ collections }: ProjectorStore): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, collection] of Object.entries(collections)) {
    // When streams were parked differs from run to run.
    if (name === 'checkpoints' || name === 'alarms') continue;
    const documents = await collection
      .find({}, { promoteValues: false, sort: { _id: 1 } })
      .toArray();
    for (const document of documents) lines.push(`${name} ${JSON.stringify(inOrder(document))}`);
  }
  const checkpoints = await collections.checkpoints.find({}, { sort: { _id: 1 } }).toArray();
  // Who owns a partition and how often it changed hands differs from run to run; what was applied does not.
  for (const { _id, next } of checkpoints) lines.push(`checkpoint ${_id} ${next}`);
  return lines;
}

// In which order the months of a document were written depends on where chunks were cut.
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, inOrder(value[key])]),
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
