// The collections of one generation of the read model, and their indexes.
import type { Binary, Collection, Db, IndexDescription } from 'mongodb';
import type { DocumentKind } from '../../projections/document-kinds.ts';
import type { StoredDocument } from './document-codec.ts';
import { DOCUMENT_STORAGE, type StoredByKind } from './document-storage.ts';
import { DELETED, type StoredHead } from './heads.ts';
import type { StoredNearType } from './near-types.ts';
import type { StoredShadowSet } from './shadow-sets.ts';
import { inForm } from './stored-form.ts';

/** An event that waits in the queue of a held stream. */
export interface StoredQueueEntry {
  /** `subject/sequence padded/partition/event id` */
  _id: string;
  subject: string;
  sequence: number;
  partition: number;
  offset: number;
  eventId: string | null;
  /** The record's value, unchanged. */
  value: string;
  /** The time that is shown of it, when it is no valid event. */
  timestamp?: string;
}

/** A record that belongs to no stream. It takes no sequence; the event log still has its bytes. */
export interface StoredQuarantined extends StoredQueueEntry {
  /** The reason in a sentence. */
  reason: string;
}

/** The id of a document set that no head names any more, or of a deleted budget's queue: removed in small steps. */
export interface StoredSweep {
  _id: string;
}

export interface StoredCheckpoint {
  /** The partition. */
  _id: number;
  epoch: number;
  /** The next offset to apply. */
  next: number;
  owner: string;
  /** Ids of the owner's server sessions: the next owner ends them. */
  sessions: Binary[];
  /** Number of partitions of the log at the first claim. */
  partitions: number;
  /** Set while nothing is applied from the partition, because its log is not the one that was projected. */
  halted?: { at: Date; reason: string } | null;
  /** Number of switches away from its generation. Raising it makes a chunk under way fail and run again. */
  switches?: number;
  /** Hash of the record at the log's start and of the one before `next`, with their offsets. */
  fingerprints: { offset: number; hash: string }[];
  /** Until then chunks are refused, so that a switch comes about; missing otherwise. */
  heldUntil?: Date;
  /** Number of the pause that stops it; missing while it may be moved. */
  paused?: number;
}

export interface StoredAlarm {
  _id: 'parking';
  /** Streams parked within the window, by the start of a time span: few buckets, however many streams. */
  buckets: { at: Date; parked: number }[];
  /** Until then parked streams do not count: an operator has accepted them. */
  disarmedUntil: Date | null;
  /** Number of the last pause. A checkpoint that carries the number of an ended pause is not paused. */
  pauses: number;
  paused: Pause | null;
}

export interface Pause {
  readonly since: Date;
  readonly reason: string;
  /** Some of the streams that would have been parked, with the reasons. */
  readonly examples: readonly ParkedExample[];
}

export interface ParkedExample {
  readonly stream: string;
  readonly reason: string;
}

const QUEUE = 'queue/';

/** Returns the id of the mark of a stream's queue. The id of a set has no slash. */
export function sweepOfQueue(subject: string): string {
  return `${QUEUE}${subject}`;
}

/** Returns the stream whose queue is marked; null for the mark of a set. */
export function sweptQueue(mark: string): string | null {
  return mark.startsWith(QUEUE) ? mark.slice(QUEUE.length) : null;
}

/** The records of streams, partitions and the generation itself, by collection. */
interface StreamRecords {
  heads: StoredHead;
  waiting: StoredQueueEntry;
  /** Records that belong to no stream, kept for an operator. */
  quarantine: StoredQuarantined;
  sweeps: StoredSweep;
  /** Shadow sets, by stream. */
  shadowSets: StoredShadowSet;
  checkpoints: StoredCheckpoint;
  /** One document: the parking alarm. */
  alarms: StoredAlarm;
  nearTypes: StoredNearType;
}

type StoredByName = StreamRecords & StoredByKind;

type CollectionName = keyof StoredByName;

export type GenerationCollections = {
  readonly [N in CollectionName]: Collection<StoredByName[N]>;
};

interface CollectionStorage {
  readonly indexes: readonly IndexDescription[];
  readonly lateIndexes?: readonly IndexDescription[];
}

/** Every collection of a generation, by name. */
export const COLLECTIONS: Readonly<Record<CollectionName, CollectionStorage>> = {
  heads: {
    indexes: [
      { key: { 'space.members': 1 }, sparse: true },
      { key: { 'budget.spaceId': 1 }, sparse: true },
      { key: { 'held.why': 1 }, sparse: true },
      { key: { deleted: 1, _id: 1 }, partialFilterExpression: DELETED },
    ],
  },
  waiting: { indexes: [{ key: { subject: 1, sequence: 1, offset: 1 } }] },
  quarantine: { indexes: [] },
  sweeps: { indexes: [] },
  shadowSets: { indexes: [{ key: { partition: 1 } }] },
  checkpoints: { indexes: [] },
  alarms: { indexes: [] },
  nearTypes: { indexes: [] },
  ...DOCUMENT_STORAGE,
};

const COLLECTION_NAMES = Object.keys(COLLECTIONS) as readonly CollectionName[];

/** Returns the collections of a generation: its id is the prefix of their names. */
export function generationCollections(db: Db, generation: string): GenerationCollections {
  const entries = COLLECTION_NAMES.map(
    name => [name, db.collection(`${generation}_${name}`)] as const,
  );
  // The driver takes the type of a collection's documents on trust.
  return Object.fromEntries<unknown>(entries) as GenerationCollections;
}

/** Returns the collection of a kind for documents of any kind. */
export function documentsOf(
  collections: GenerationCollections,
  kind: DocumentKind,
): Collection<StoredDocument> {
  return inForm(collections[kind]);
}

/** By default an index of a collection with documents waits for every member that votes, also for one that is away. */
export const INDEX_BUILD = { commitQuorum: 'majority' } as const;

/** Creates the collections of a generation that do not exist yet, and the indexes that a build needs. */
export async function createCollections(db: Db, generation: string): Promise<void> {
  const created = Object.entries(COLLECTIONS).map(([name, { indexes }]) => {
    const full = `${generation}_${name}`;
    // An index creates its collection, which saves a round trip.
    if (indexes.length > 0) return db.collection(full).createIndexes([...indexes], INDEX_BUILD);
    return ensureCollection(db, full);
  });
  await Promise.all(created);
}

/**
 * Builds the late indexes of a generation that do not stand yet, which takes minutes for millions of rows. Projectors
 * may go on writing meanwhile. After an interruption it is called again: builds that have begun go on.
 */
export async function completeIndexes(collections: GenerationCollections): Promise<void> {
  for (const name of COLLECTION_NAMES) {
    const { lateIndexes = [] } = COLLECTIONS[name];
    const place = inForm(collections[name]);
    // A command builds its indexes one after another, so two of them use two cores.
    const parts = [0, 1].map(part => lateIndexes.filter((_, index) => index % 2 === part));
    const builds = parts
      .filter(part => part.length > 0)
      .map(part => place.createIndexes(part, INDEX_BUILD));
    await Promise.all(builds);
  }
}

async function ensureCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    if ((error as { codeName?: string }).codeName !== 'NamespaceExists') throw error;
  }
}
