// What one request sees of the read model: one generation at one instant.
import { type ClientSession, type Db, MongoServerError } from 'mongodb';
import { type GenerationCollections, generationCollections } from './collections.ts';

/** The database of the read model, named here for folders that may not know the driver. */
export type ReadDatabase = Db;

export interface Reading {
  readonly generation: string;
  readonly database: ReadDatabase;
  readonly collections: GenerationCollections;
  /** To be given to every query: they share the instant of the first one, and each is bounded in time. */
  readonly options: { readonly session: ClientSession; readonly maxTimeMS: number };
}

// Made once for a generation, not for each request.
const known = new WeakMap<Db, { generation: string; collections: GenerationCollections }>();

function collectionsOf(db: Db, generation: string): GenerationCollections {
  const last = known.get(db);
  if (last?.generation === generation) return last.collections;
  const collections = generationCollections(db, generation);
  known.set(db, { generation, collections });
  return collections;
}

// SnapshotTooOld and SnapshotUnavailable: the instant is gone, or a collection was changed in between.
const SNAPSHOT_CODES = [239, 246];

/** Runs queries on one snapshot; where the database lost it on the way, once more on a new one. */
export async function inSnapshot<T>(
  db: Db,
  generation: string,
  queryMsMax: number,
  work: (reading: Reading) => Promise<T>,
): Promise<T> {
  return await retriedSnapshot(async () => {
    const session = db.client.startSession({ snapshot: true });
    try {
      return await work(openReading(db, generation, session, queryMsMax));
    } finally {
      await session.endSession();
    }
  });
}

/** `session`: of a snapshot. */
export function openReading(
  db: Db,
  generation: string,
  session: ClientSession,
  queryMsMax: number,
): Reading {
  const collections = collectionsOf(db, generation);
  return { generation, database: db, collections, options: { session, maxTimeMS: queryMsMax } };
}

/** Does work on a snapshot; where the database lost it on the way, once more, on a new one. */
export async function retriedSnapshot<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MongoServerError && SNAPSHOT_CODES.includes(Number(error.code))))
      throw error;
    return await work();
  }
}
