// The registry names the generation that readers answer from, and the generations that exist. A reader reads it
// with each request; every change of it is one compare-and-set.
import type { ClientSession, Db } from 'mongodb';
import { within } from '../access/within.ts';
import { createBatches } from '../batches.ts';
import { COLLECTION_NAMES, createCollections, generationCollections } from './collections.ts';

/** `building`: far from the log's end; `verifying`: a process holds it against the log before the switch. */
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
  /** The version of the projections that makes it. */
  readonly version: number;
  readonly state: GenerationState;
  readonly startedAt: Date;
  readonly activatedAt: Date | null;
  /** Since when it is not active any more, or its build has failed. */
  readonly retiredAt: Date | null;
  /** Why it failed or was rejected. */
  readonly reason: string | null;
  /** Why a build is not switched to, in a sentence for people; null while nothing is in its way. */
  readonly waitsFor: string | null;
  /** Until when a process has taken its verification on. */
  readonly verifyingUntil: Date | null;
  /** How many of the streams that are to be verified are done; absent while nobody verifies. */
  readonly verified?: { readonly done: number; readonly total: number } | null;
  /** How often in a row its verification ended without a result. */
  readonly brokenOff?: number;
  /** The newer version that takes the place of this failed build. */
  readonly replacedBy?: number;
}

export interface Registry {
  /** Id of the generation that answers; null until the first one is ready. */
  readonly active: string | null;
  readonly generations: readonly GenerationRecord[];
  /** Versions that an operator rolled back from or gave up: they build again only when asked to. */
  readonly rejectedVersions: readonly number[];
  /** Versions whose last build failed by itself: they replace no build of an older version. */
  readonly failedVersions?: readonly number[];
  /** Numbers the generations. */
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

function collection(db: Db) {
  return db.collection<StoredRegistry>('registry', { writeConcern: { w: 'majority' } });
}

const asking = new WeakMap<Db, () => Promise<string | null>>();

/** The id of the active generation, or null when no read model is built yet. */
export function activeGeneration(db: Db): Promise<string | null> {
  const ask = asking.get(db) ?? askTogether(db);
  asking.set(db, ask);
  return ask();
}

function askTogether(db: Db): () => Promise<string | null> {
  const options = { projection: { _id: 0, active: 1 }, maxTimeMS: REQUEST_TIMEOUT_MS } as const;
  const ask = createBatches<null, string | null>(async ({ length }) => {
    const search = collection(db).findOne({ _id: 'registry' }, options);
    const found = await within(REQUEST_TIMEOUT_MS, search);
    return new Array<string | null>(length).fill(found?.active ?? null);
  });
  return () => ask(null);
}

export async function readRegistry(db: Db): Promise<Registry> {
  const found = await collection(db).findOne({ _id: 'registry' });
  if (!found) return EMPTY;
  // Records that an older release wrote have no such field.
  const generations = found.generations.map(record => ({
    ...record,
    waitsFor: record.waitsFor ?? null,
  }));
  return { ...found, generations };
}

/**
 * Changes the registry, or leaves it where `change` answers null. Answers what it is then; `change` may run more
 * than once.
 */
export async function changeRegistry(
  db: Db,
  change: (registry: Registry) => Registry | null,
): Promise<Registry> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const read = await readRegistry(db);
    const changed = change(read);
    if (!changed) return read;
    if (await writeRegistry(db, read, changed)) return changed;
  }
  throw new Error('The registry of generations changed too often to be written');
}

/** Writes what was made of a registry; false where someone else changed it since it was read. */
export async function writeRegistry(
  db: Db,
  read: Registry,
  now: Registry,
  session?: ClientSession,
): Promise<boolean> {
  const { active, generations, rejectedVersions, failedVersions = [], made } = now;
  const revision = read.revision + 1;
  const fields = { active, generations, rejectedVersions, failedVersions, made, revision };
  const options = session ? { session } : { upsert: read.revision === 0 };
  try {
    const filter = { _id: 'registry' as const, revision: read.revision };
    const result = await collection(db).replaceOne(filter, fields, options);
    return result.matchedCount + result.upsertedCount === 1;
  } catch (error) {
    // Two processes made the first registry at once.
    if ((error as { code?: number }).code === 11000) return false;
    throw error;
  }
}

/** Creates the collections of a generation; nothing happens where they are. */
export function createGeneration(db: Db, id: string): Promise<void> {
  return createCollections(db, id);
}

/** Removes all that a generation stored. */
export async function dropGeneration(db: Db, id: string): Promise<void> {
  const collections = generationCollections(db, id);
  for (const name of COLLECTION_NAMES) {
    await collections[name].drop().catch(ignoreMissing);
  }
}

/**
 * Removes what generations left behind that the registry no longer names: a process was killed between taking a
 * generation out of the registry and dropping its collections.
 */
export async function dropLeftovers(db: Db): Promise<void> {
  const { made, generations } = await readRegistry(db);
  const known = generations.map(({ id }) => id);
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  const owners = found.flatMap(({ name }) => /^(g[1-9]\d*)_/.exec(name)?.[1] ?? []);
  for (const id of new Set(owners)) {
    // A later number belongs to a generation that was made since the registry was read.
    if (!known.includes(id) && Number(id.slice(1)) <= made) await dropGeneration(db, id);
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as { codeName?: string }).codeName !== 'NamespaceNotFound') throw error;
}
