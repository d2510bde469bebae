// What one request sees of the read model: one generation at one instant.
import { type ClientSession, type Db, MongoServerError } from 'mongodb';
import { type GenerationCollections, generationCollections } from './collections.ts';
import { primaryOf } from './primary.ts';

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

const ATTEMPTS_MAX = 3;

// SnapshotTooOld and SnapshotUnavailable: the instant is gone, or a collection was changed in between.
const SNAPSHOT_CODES = [239, 246];

/** Runs queries on one snapshot; where the database lost it on the way, once more on a new one. */
export async function inSnapshot<T>(
  db: Db,
  generation: string,
  queryMsMax: number,
  work: (reading: Reading) => Promise<T>,
): Promise<T> {
  return await retriedSnapshot(db, async () => {
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

/**
 * Does work on a snapshot; where the database lost it on the way, once more, on a new one. What a primary answers that
 * was replaced in the middle is not told.
 */
export async function retriedSnapshot<T>(db: Db, work: () => Promise<T>): Promise<T> {
  try {
    return await withinTerm(db, work);
  } catch (error) {
    if (!(error instanceof MongoServerError && SNAPSHOT_CODES.includes(Number(error.code))))
      throw error;
    return await withinTerm(db, work);
  }
}

async function withinTerm<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const primary = primaryOf(db.client);
  for (let attempt = 1; ; attempt += 1) {
    await primary.settled(db);
    const term = primary.term();
    const result = await work();
    // The driver may have gone over to a new primary in the middle.
    if (primary.term() === term || attempt === ATTEMPTS_MAX) return result;
  }
}
