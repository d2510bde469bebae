// Reads the read model for one request: one generation at one instant, of a primary that shows everything that was ever shown.
import {
  type ClientSession,
  type Db,
  type MongoClient,
  MongoServerError,
  type TopologyDescription,
} from 'mongodb';
import { UserError } from '../process/errors.ts';
import { type GenerationCollections, generationCollections } from './collections.ts';
import { activeGeneration, isDropped, LINEARIZABLE, readRegistry } from './registry.ts';

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

/** The generation was dropped during a reading. A snapshot does not keep collections: they are empty from then on. */
export class DroppedError extends UserError {}

/** Half of the time that a generation stays after it was replaced: a shorter reading of the active one misses nothing. */
const SURE_MS = 30_000;

/**
 * Runs queries on one snapshot of a generation. When the database loses the snapshot meanwhile, they run once more on a
 * new one.
 *
 * @throws DroppedError when the generation is dropped
 */
export async function inSnapshot<T>(
  options: Omit<ReadingOptions, 'session'>,
  query: (reading: Reading) => Promise<T>,
): Promise<T> {
  const { db, generation } = options;
  return await retriedSnapshot(db, () =>
    onSnapshot(options, query).finally(() => requireKept(db, generation)),
  );
}

/**
 * Runs queries on one snapshot of the active generation; again, on the next one, if it was dropped meanwhile. Returns
 * undefined without an active generation.
 */
export async function inActive<T>(
  options: Pick<ReadingOptions, 'db' | 'queryMsMax'>,
  query: (reading: Reading) => Promise<T>,
): Promise<T | undefined> {
  const { db } = options;
  return await retriedSnapshot(db, async () => {
    const readMs = startClock();
    const generation = await activeGeneration(db);
    if (generation === null) return undefined;
    const found = onSnapshot({ ...options, generation }, query);
    return await found.finally(() => requireKept(db, generation, readMs));
  });
}

/** Runs queries on one snapshot, once. */
export async function onSnapshot<T>(
  options: Omit<ReadingOptions, 'session'>,
  query: (reading: Reading) => Promise<T>,
): Promise<T> {
  const session = options.db.client.startSession({ snapshot: true });
  try {
    return await query(openReading({ ...options, session }));
  } finally {
    await session.endSession();
  }
}

/**
 * Asks at the end of a reading, or after an error of it, whether it may have missed documents.
 *
 * @param readMs tells how long ago the generation was known to be active
 * @throws DroppedError when the generation is dropped
 */
export async function requireKept(
  db: Db,
  generation: string,
  readMs?: () => number,
): Promise<void> {
  if (readMs && readMs() < SURE_MS) return;
  if (!isDropped(await readRegistry(db), generation)) return;
  throw new DroppedError(`Generation ${generation} was dropped meanwhile: run it again`);
}

/** Returns the milliseconds since, by two clocks: one stands still while the machine sleeps, the other may be set. */
export function startClock(): () => number {
  const [wallMs, steadyMs] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wallMs, performance.now() - steadyMs);
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
 * Runs a query that opens a snapshot. When the database loses the snapshot or its generation meanwhile, the query runs
 * once more on a new one. Results of a primary that was replaced meanwhile are discarded, and the query is repeated: at most twice.
 */
export async function retriedSnapshot<T>(db: Db, query: () => Promise<T>): Promise<T> {
  try {
    return await inOneTerm(db, query);
  } catch (error) {
    if (!isLost(error)) throw error;
    return await inOneTerm(db, query);
  }
}

function isLost(error: unknown): boolean {
  if (error instanceof DroppedError) return true;
  return error instanceof MongoServerError && SNAPSHOT_CODES.includes(Number(error.code));
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

/**
 * Tracks the primary. A new primary does not know at once what a majority of members had under the former one: until it
 * does, it shows an earlier instant, and a budget would step back.
 */
interface Primary {
  /** Changes whenever a member becomes primary, even the same one again. */
  term(): string;
  /** Resolves once the primary of this term shows everything that was ever shown. */
  catchUp(db: Db): Promise<void>;
}

/** The limit of every query; beyond it catching up fails. */
const CATCH_UP_MS_MAX = 2000;
const primaries = new WeakMap<MongoClient, Primary>();

/** Returns the tracker of the client's primary. */
function primaryOf(client: MongoClient): Primary {
  const primary = primaries.get(client) ?? watchPrimary(client);
  primaries.set(client, primary);
  return primary;
}

function watchPrimary(client: MongoClient): Primary {
  let term = '';
  let caughtUpTerm: string | null = null;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    term = termOf(newDescription);
  });
  return {
    term: () => term,
    async catchUp(db) {
      // Another member may become primary while this one is waited for.
      while (term !== caughtUpTerm) {
        const awaited = term;
        // A linearizable read returns only once a majority has the first write of the new primary.
        await readRegistry(db, { ...LINEARIZABLE, maxTimeMS: CATCH_UP_MS_MAX });
        caughtUpTerm = awaited;
      }
    },
  };
}

function termOf({ servers }: TopologyDescription): string {
  const found = [...servers.values()].find(({ type }) => type === 'RSPrimary');
  return found ? `${found.address} ${found.electionId?.toHexString()}` : 'none';
}
