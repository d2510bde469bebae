// The registry names the active generation and all others that exist. Each request reads it; every change to it is one
// compare-and-set.
import type { ClientSession, Db, FindOptions } from 'mongodb';
import { createBatches } from '../process/batches.ts';
import { DUPLICATE_KEY, isTransient, withDeadline } from './database-errors.ts';
import { endingLockers } from './open-sessions.ts';
import { lockDocuments } from './write-commands.ts';

/** `building`: far from the log's end; `verifying`: a process compares it with the log before the switch. */
export type GenerationState =
  | 'building'
  | 'verifying'
  | 'active'
  | 'retired'
  | 'rejected'
  | 'failed';

export interface GenerationRecord {
  /** The prefix of its collections. */
  readonly id: string;
  /** The version of the projections that builds it. */
  readonly version: number;
  readonly state: GenerationState;
  readonly startedAt: Date;
  readonly activatedAt: Date | null;
  /** When it stopped being active, or its build failed. */
  readonly retiredAt: Date | null;
  /** Why it failed or was rejected. */
  readonly reason: string | null;
  /** The obstacle to switching to a build, in a sentence for people; null while there is none. */
  readonly waitsFor: string | null;
  /** Until then one process has claimed its verification. */
  readonly verifyingUntil: Date | null;
  /** Id of that process's lease; missing while none verifies. */
  readonly lease?: string | null;
  /** Streams verified so far, and in all; missing while no process verifies. */
  readonly verified?: { readonly done: number; readonly total: number } | null;
  /** The row indexes are being built, and how far that is, if it is known; missing or null at other times. */
  readonly indexing?: { readonly percent: number | null } | null;
  /** Number of verifications in a row that ended without a result. */
  readonly brokenOff?: number;
  /** The newer version that replaced this failed build. */
  readonly replacedBy?: number;
}

export interface Registry {
  /** Id of the active generation; null until the first one is ready. */
  readonly active: string | null;
  readonly generations: readonly GenerationRecord[];
  /** Versions that an operator rolled back from or gave up: they build again only on demand. */
  readonly rejectedVersions: readonly number[];
  /** Versions whose last build failed by itself: they do not replace the build of an older version. */
  readonly failedVersions?: readonly number[];
  /** Number of the newest generation. */
  readonly made: number;
  /** Grows with each change. */
  readonly revision: number;
}

type StoredRegistry = Registry & { readonly _id: 'registry' };

const EMPTY: Registry = {
  active: null,
  generations: [],
  rejectedVersions: [],
  made: 0,
  revision: 0,
};
const ATTEMPTS_MAX = 20;
const REQUEST_TIMEOUT_MS = 2000;
/** Shows what a majority confirmed last: a former primary cannot answer. Fails when a majority takes longer to confirm it. */
export const LINEARIZABLE = { readConcern: { level: 'linearizable' }, maxTimeMS: 10_000 } as const;

function collection(db: Db) {
  return db.collection<StoredRegistry>('registry', { writeConcern: { w: 'majority' } });
}

const activeGenerations = new WeakMap<Db, () => Promise<string | null>>();

/** Returns the id of the active generation, or null when no read model is built yet. */
export function activeGeneration(db: Db): Promise<string | null> {
  const read = activeGenerations.get(db) ?? readTogether(db);
  activeGenerations.set(db, read);
  return read();
}

function readTogether(db: Db): () => Promise<string | null> {
  const options = { projection: { _id: 0, active: 1 }, maxTimeMS: REQUEST_TIMEOUT_MS } as const;
  const read = createBatches<null, string | null>(async ({ length }) => {
    const search = collection(db).findOne({ _id: 'registry' }, options);
    const found = await withDeadline(REQUEST_TIMEOUT_MS, search);
    return new Array<string | null>(length).fill(found?.active ?? null);
  });
  return () => read(null);
}

export async function readRegistry(db: Db, options: FindOptions = {}): Promise<Registry> {
  return (await collection(db).findOne({ _id: 'registry' }, options)) ?? EMPTY;
}

/** Returns the database's clock. Every time in the registry is of this clock: those of processes may be hours off. */
export async function databaseTime(db: Db): Promise<Date> {
  const ask = () => db.command({ hello: 1 });
  // The driver repeats reads by itself after a failover, but no command.
  const { localTime } = await ask().catch(error => {
    if (!isTransient(error)) throw error;
    return ask();
  });
  return localTime as Date;
}

/**
 * Changes the registry, unless `change` returns null, and returns the current one. `change` gets the registry as it is
 * and the database's time, and runs again when another process changed the registry meanwhile, or when a generation that
 * it makes would get the id of one that has checkpoints: a registry that was restored may be older than those.
 *
 * @throws Error when that happened 20 times in a row
 */
export async function changeRegistry(
  db: Db,
  change: (registry: Registry, now: Date) => Registry | null,
): Promise<Registry> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const now = await databaseTime(db);
    const read = await readRegistry(db);
    const changed = change(read, now);
    if (!changed) return read;
    const isTaken = changed.made > read.made && (await isBegun(db, `g${changed.made}`));
    const written = isTaken ? { ...read, made: changed.made } : changed;
    if ((await writeRegistry(db, { read, now: written })) && !isTaken) return changed;
  }
  throw new Error('The registry of generations changed too often to be written');
}

async function isBegun(db: Db, id: string): Promise<boolean> {
  return (await db.collection(`${id}_checkpoints`).findOne()) !== null;
}

/** The registry as it was read, and as it is to be. */
interface RegistryChange {
  readonly read: Registry;
  readonly now: Registry;
}

/** Writes a registry. Returns false when another process changed it since it was read. */
export async function writeRegistry(
  db: Db,
  { read, now }: RegistryChange,
  session?: ClientSession,
): Promise<boolean> {
  const { active, generations, rejectedVersions, failedVersions = [], made } = now;
  const revision = read.revision + 1;
  const fields = { active, generations, rejectedVersions, failedVersions, made, revision };
  const options = session ? { session } : { upsert: read.revision === 0 };
  try {
    const filter = { _id: 'registry' as const, revision: read.revision };
    // Fields of a later release stay as they are.
    const write = collection(db).updateOne(filter, { $set: fields }, options);
    const result = await (session ? write : endingLockers(db, write));
    return result.matchedCount + result.upsertedCount === 1;
  } catch (error) {
    // Two processes inserted the first registry at once.
    if ((error as { code?: number }).code === DUPLICATE_KEY) return false;
    throw error;
  }
}

/**
 * Returns the registry as a transaction sees it, and keeps it so until the transaction ends: no generation can be added
 * meanwhile.
 */
export async function lockRegistry(db: Db, session: ClientSession): Promise<Registry> {
  await lockDocuments(collection(db), {}, session);
  return readRegistry(db, { session });
}

/**
 * Returns whether the registry has dropped a generation: for ever, because no number is given twice. One with a higher
 * number may be added at any moment.
 */
export function isDropped({ made, generations }: Registry, id: string): boolean {
  return Number(id.slice(1)) <= made && generations.every(generation => generation.id !== id);
}

/**
 * Removes the collections of all generations that the registry has dropped, also those that only other versions of the
 * projections have, and returns the ids of these generations. Nothing else removes collections: a generation leaves the
 * registry first, and only then its documents are deleted.
 */
export async function dropLeftovers(db: Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  const registry = await readRegistry(db, LINEARIZABLE);
  const dropped = new Set<string>();
  for (const { name } of found) {
    const [, owner] = /^(g[1-9]\d*)_/.exec(name) ?? [];
    if (owner === undefined || !isDropped(registry, owner)) continue;
    await db.dropCollection(name).catch(ignoreMissing);
    dropped.add(owner);
  }
  return [...dropped];
}

function ignoreMissing(error: unknown): void {
  if ((error as { codeName?: string }).codeName !== 'NamespaceNotFound') throw error;
}
