// One transaction: the checkpoint by compare-and-set first, then everything that a fold changed.
import {
  type Binary,
  type ClientSession,
  type MongoClient,
  MongoError,
  type TransactionOptions,
} from 'mongodb';
import { type Aside, type AsideStep, insertAsides, moveAside } from './asides.ts';
import type {
  GenerationCollections,
  StoredCheckpoint,
  StoredQuarantined,
  StoredWaiting,
} from './collections.ts';
import { type HeadChange, StaleError, writeHeads } from './heads.ts';
import { isUnavailable } from './is-unavailable.ts';
import { countParked, type Parking } from './parking-alarm.ts';
import { newlyParked } from './parking-limit.ts';
import { insertAll } from './write-commands.ts';
import { type DocumentWrites, writeDocuments } from './write-documents.ts';

export interface CheckpointStep {
  readonly partition: number;
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
  readonly fingerprints: StoredCheckpoint['fingerprints'];
}

/** What a fold comes to in the store. */
export interface FoldWrites {
  /** Null for work on one stream (its queue): the head's compare-and-set guards that. */
  readonly checkpoint: CheckpointStep | null;
  readonly heads: readonly HeadChange[];
  readonly documents: DocumentWrites;
  readonly waiting: readonly StoredWaiting[];
  /** Ids of queue entries that are done. */
  readonly done: readonly string[];
  /** Streams whose queue is erased. */
  readonly erased: readonly string[];
  readonly swept: readonly string[];
  readonly quarantined: readonly StoredQuarantined[];
  /** Document sets that begin to be written aside. */
  readonly asides?: readonly Aside[];
  /** A step of one that is. */
  readonly aside?: AsideStep;
  /** What else is written, or not, with all of this: an operator's decision. */
  readonly also?: (session: ClientSession) => Promise<void>;
}

/** A fold that writes nothing: others are built from it. */
export const NO_FOLD_WRITES: FoldWrites = {
  checkpoint: null,
  heads: [],
  documents: new Map(),
  waiting: [],
  done: [],
  erased: [],
  swept: [],
  quarantined: [],
};

/** The checkpoint cannot be moved: the partition has another owner, or the generation is paused. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

const TRANSACTION: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  maxCommitTimeMS: 30_000,
};

/**
 * A session in which one fold after the other is committed. It lives as long as the client: given back to the
 * driver's pool, its id would serve other work, and a later owner of its partition that ends it would hit that.
 */
export interface CommitSession {
  readonly id: Binary;
  commit(writes: FoldWrites): Promise<void>;
}

/** @param alarmed whether parked streams count for the alarm; those that an operator's command parks do not */
export function openCommitSession(
  client: MongoClient,
  collections: GenerationCollections,
  alarmed = true,
): CommitSession {
  const session = client.startSession();
  return {
    id: session.id?.id as Binary,
    async commit(writes) {
      const parking = alarmed ? await parkingOf(collections, writes.heads) : null;
      await inTransaction(session, () => writeFold(collections, writes, parking, session));
    },
  };
}

/** Null for a fold that parks nothing: it costs no further round trip. */
async function parkingOf(
  { heads }: GenerationCollections,
  changes: readonly HeadChange[],
): Promise<Parking | null> {
  const parked = newlyParked(changes);
  if (parked.length === 0) return null;
  const added = changes.filter(({ loaded }) => !loaded).length;
  return { parked, streams: (await heads.estimatedDocumentCount()) + added };
}

/** One transaction in a session of its own. */
export async function inSession(
  client: MongoClient,
  work: (session: ClientSession) => Promise<void>,
): Promise<void> {
  await client.withSession(session => inTransaction(session, () => work(session)));
}

// Whether a failed commit took place is settled by the caller's next compare-and-set: work that is done again
// finds the checkpoint or the head moved.
async function inTransaction(session: ClientSession, work: () => Promise<void>): Promise<void> {
  session.startTransaction(TRANSACTION);
  try {
    await work();
    await commitWithRetry(session);
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction().catch(() => {});
    throw error;
  }
}

// The driver retries a commit once by itself; an unknown result is asked again a few times, which is safe.
async function commitWithRetry(session: ClientSession): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const unknown =
        error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
      if (!unknown || attempt === 3) throw error;
    }
  }
}

/**
 * Writes a fold. The checkpoint goes first: the loser of two owners fails there, before it has written anything.
 *
 * @throws FencedError when the partition has another owner, is elsewhere or is paused
 * @throws StaleError when a stream was changed since it was loaded
 * @throws PausedError, TooManyParkedError when it parks streams and the alarm forbids that
 */
async function writeFold(
  collections: GenerationCollections,
  writes: FoldWrites,
  parking: Parking | null,
  session: ClientSession,
): Promise<void> {
  if (writes.checkpoint) await moveCheckpoint(collections, writes.checkpoint, session);
  if (parking) await countParked(collections.alarms, parking, session);
  if (writes.aside) await moveAside(collections.asides, writes.aside, session);
  await insertAsides(collections.asides, writes.asides ?? [], session);
  await writeHeads(collections.heads, writes.heads, session);
  await writes.also?.(session);
  await writeDocuments(collections, writes.documents, session);
  if (writes.waiting.length > 0) {
    await insertAll(collections.waiting, writes.waiting, session);
  }
  if (writes.done.length > 0) {
    await collections.waiting.deleteMany({ _id: { $in: [...writes.done] } }, { session });
  }
  if (writes.erased.length > 0) {
    await collections.waiting.deleteMany({ subject: { $in: [...writes.erased] } }, { session });
  }
  if (writes.swept.length > 0) {
    const swept = writes.swept.map(_id => ({ _id }));
    await insertAll(collections.sweeps, swept, session);
  }
  if (writes.quarantined.length > 0) {
    await insertAll(collections.quarantine, writes.quarantined, session);
  }
}

async function moveCheckpoint(
  { checkpoints }: GenerationCollections,
  { partition, epoch, from, to, fingerprints }: CheckpointStep,
  session: ClientSession,
): Promise<void> {
  const result = await checkpoints.updateOne(
    { _id: partition, epoch, next: from, paused: { $exists: false } },
    { $set: { next: to, fingerprints } },
    { session },
  );
  if (result.matchedCount !== 1) {
    throw new FencedError(`Partition ${partition} is not at offset ${from} under epoch ${epoch}`);
  }
}

// Two inserts of one new head meet as a duplicate key.
const DUPLICATE_KEY = 11000;
/** The database may be well: this process has ended its connection. */
const CLOSED_HERE = /^Mongo(Client|Topology)Closed/;

/** An error after which the same work may succeed: the database was away, or two transactions met. */
export function isTransient(error: unknown): boolean {
  if (error instanceof StaleError) return true;
  if (!(error instanceof MongoError) || CLOSED_HERE.test(error.name)) return false;
  return (
    isUnavailable(error) ||
    error.hasErrorLabel('TransientTransactionError') ||
    error.hasErrorLabel('UnknownTransactionCommitResult') ||
    error.hasErrorLabel('RetryableWriteError') ||
    error.code === DUPLICATE_KEY
  );
}
