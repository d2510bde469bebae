// The indexes of a generation: which of those that it should have are missing, and how far the database is with
// building them.
import type { Db } from 'mongodb';
import { COLLECTIONS, type GenerationCollections, generationCollections } from '../collections.ts';
import { isCode } from '../database-errors.ts';
import { type CollectionPlace, inForm } from '../stored-form.ts';

/** Returns the missing indexes, late ones too, each by its collection and key: `rows {"set":1,"place":-1}`. */
export async function missingIndexes(collections: GenerationCollections): Promise<string[]> {
  const missing: string[] = [];
  for (const name of Object.keys(collections) as (keyof GenerationCollections)[]) {
    const { indexes, lateIndexes = [] } = COLLECTIONS[name];
    const stored = await storedIndexes(collections[name]);
    for (const index of [...indexes, ...lateIndexes]) {
      if (!stored.has(describe(index))) missing.push(`${name} ${JSON.stringify(index.key)}`);
    }
  }
  return missing;
}

const NAMESPACE_NOT_FOUND = 26;

async function storedIndexes(place: CollectionPlace): Promise<Set<string>> {
  try {
    return new Set((await inForm(place).listIndexes().toArray()).map(describe));
  } catch (error) {
    if (isCode(error, NAMESPACE_NOT_FOUND)) return new Set();
    throw error;
  }
}

interface Described {
  readonly key?: unknown;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: unknown;
}

/** An index with the same key but over other documents is another one. */
function describe({ key, sparse = false, partialFilterExpression = null }: Described): string {
  return JSON.stringify([key, sparse, partialFilterExpression]);
}

const UNAUTHORIZED = 13;

/**
 * Returns the share of a generation's rows that the index build under way has read, in percent. Null while none is under
 * way, and without the privilege `inprog` (MongoDB's role `clusterMonitor`).
 */
export async function indexPercent(database: Db, generation: string): Promise<number | null> {
  const { rows } = generationCollections(database, generation);
  const isBuild = { ns: rows.namespace, 'command.createIndexes': rows.collectionName };
  // The thread that builds counts as an idle connection.
  const operations = database.client
    .db('admin')
    .aggregate<BuildOperation>([
      { $currentOp: { allUsers: true, idleConnections: true } },
      { $match: { ...isBuild, 'progress.total': { $gt: 0 } } },
      { $project: { msg: 1, 'progress.done': 1, 'progress.total': 1 } },
    ]);
  try {
    const shares = (await operations.toArray()).map(percentOf);
    // Several commands build at a time.
    return shares.length === 0 ? null : Math.min(...shares);
  } catch (error) {
    if (isCode(error, UNAUTHORIZED)) return null;
    throw error;
  }
}

interface BuildOperation {
  readonly msg: string;
  readonly progress: { readonly done: number; readonly total: number };
}

function percentOf({ msg, progress }: BuildOperation): number {
  // Later the same numbers count the keys of one index after another.
  if (!msg.includes('scanning collection')) return 100;
  return Math.min(100, Math.floor((Number(progress.done) / Number(progress.total)) * 100));
}
