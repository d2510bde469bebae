// How far the database is with building a generation's row indexes.
import { type Db, MongoServerError } from 'mongodb';
import { generationCollections } from '../collections.ts';

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
    if (error instanceof MongoServerError && error.code === UNAUTHORIZED) return null;
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
