// Reads the read model for one request: one generation at one instant.
import { type ClientSession, type Db, MongoServerError } from 'mongodb';
import { type GenerationCollections, generationCollections } from './collections.ts';
import { primaryOf } from './primary.ts';

/** The database of the read model, named here for folders that do not import the driver. */
export type ReadDatabase = Db;

export interface Reading {
  readonly generation: string;
  /** Version of the projections that stored it; null where the reading did not ask for it. */
  readonly version: number | null;
  readonly database: ReadDatabase;
  readonly collections: GenerationCollections;
  /** For every query: queries share the instant of the first one, and each has a time limit. */
  readonly options: {
    readonly session: ClientSession;
    readonly maxTimeMS: number;
    /** Stops the queries of an abandoned request. */
    readonly signal?: AbortSignal;
  };
  /** The same snapshot, for what requests share: no abandoned request stops it. Absent if the reading itself is that. */
  readonly shared?: Reading;
}

/** Returns the reading with queries that stop when the signal aborts. */
export function abandonable(reading: Reading, signal: AbortSignal): Reading {
  return { ...reading, options: { ...reading.options, signal }, shared: reading };
}

// Created once for each generation, not for each request.
const known = new WeakMap<Db, { generation: string; collections: GenerationCollections }>();

function collectionsOf(db: Db, generation: string): GenerationCollections {
  const last = known.get(db);
  if (last?.generation === generation) return last.collections;
  const collections = generationCollections(db, generation);
  known.set(db, { generation, collections });
  return collections;
}

const ATTEMPTS_MAX = 3;

// SnapshotTooOld and SnapshotUnavailable: the database no longer has the instant, or a collection changed meanwhile.
const SNAPSHOT_CODES = [239, 246];

/** Runs queries on one snapshot. When the database loses the snapshot meanwhile, they run once more on a new one. */
export async function inSnapshot<T>(
  options: Omit<ReadingOptions, 'session'>,
  query: (reading: Reading) => Promise<T>,
): Promise<T> {
  const { db } = options;
  return await retriedSnapshot(db, async () => {
    const session = db.client.startSession({ snapshot: true });
    try {
      return await query(openReading({ ...options, session }));
    } finally {
      await session.endSession();
    }
  });
}

export interface ReadingOptions {
  readonly db: Db;
  readonly generation: string;
  /** A snapshot session. */
  readonly session: ClientSession;
  /** The time limit of each query, in milliseconds. */
  readonly queryMsMax: number;
}

export function openReading({ db, generation, session, queryMsMax }: ReadingOptions): Reading {
  const collections = collectionsOf(db, generation);
  const options = { session, maxTimeMS: queryMsMax };
  return { generation, version: null, database: db, collections, options };
}

/**
 * Runs a query that opens a snapshot. When the database loses the snapshot meanwhile, the query runs once more on a new
 * one. Results of a primary that was replaced meanwhile are discarded, and the query is repeated: at most twice.
 */
export async function retriedSnapshot<T>(db: Db, query: () => Promise<T>): Promise<T> {
  try {
    return await inOneTerm(db, query);
  } catch (error) {
    if (!(error instanceof MongoServerError && SNAPSHOT_CODES.includes(Number(error.code))))
      throw error;
    return await inOneTerm(db, query);
  }
}

async function inOneTerm<T>(db: Db, query: () => Promise<T>): Promise<T> {
  const primary = primaryOf(db.client);
  for (let attempt = 1; ; attempt += 1) {
    await primary.catchUp(db);
    const term = primary.term();
    const result = await query();
    // The driver may have changed to a new primary meanwhile.
    if (primary.term() === term || attempt === ATTEMPTS_MAX) return result;
  }
}
