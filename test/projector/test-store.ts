// A projector's store in a database of the test, and its contents as comparable text.
import type { Db, MongoClient } from 'mongodb';
import { createDecisionLog } from '../../src/access/decisions.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { createCollections, generationCollections } from '../../src/store/collections.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';

/** The read model and the decisions share one database here. */
export function testStore(client: MongoClient, database: string): Promise<ProjectorStore> {
  return openTestStore(client.db(database));
}

/** Opens one generation as a build begins it: only readers need the late indexes. The projector does not read the registry. */
export async function openTestStore(db: Db, generation = 'g1'): Promise<ProjectorStore> {
  await createCollections(db, generation);
  const collections = generationCollections(db, generation);
  return {
    collections,
    decisions: createDecisionLog(db),
    session: openCommitSession(db.client, collections),
  };
}

/** Returns what opens the same store with a session of its own, as each process has it. */
export function storeOpener(store: ProjectorStore): () => ProjectorStore {
  const { collections } = store;
  return () => ({ ...store, session: openCommitSession(collections.heads.db.client, collections) });
}

/** Returns all documents of the read model, one per line, with sorted lines and keys: equal stores give equal lines. */
export async function dump({ collections }: ProjectorStore): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, collection] of Object.entries(collections)) {
    // The times of checkpoints and alarms differ from run to run.
    if (name === 'checkpoints' || name === 'alarms' || name === 'nearTypes') continue;
    const documents = await collection
      .find({}, { promoteValues: false, sort: { _id: 1 } })
      .toArray();
    for (const document of documents) lines.push(`${name} ${JSON.stringify(inOrder(document))}`);
  }
  const checkpoints = await collections.checkpoints.find({}, { sort: { _id: 1 } }).toArray();
  // The owner and the epoch of a partition differ from run to run; the next offset does not.
  for (const { _id, next } of checkpoints) lines.push(`checkpoint ${_id} ${next}`);
  return lines;
}

// The order of the months in a document depends on the chunks. How often an operator decided on a stream does not follow
// from the log: a decision that comes before its event changes no head.
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter(key => key !== 'decided')
      .sort()
      .map(key => [key, inOrder(value[key])]),
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
