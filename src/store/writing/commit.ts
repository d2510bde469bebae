// Commits a fold in one transaction: first the checkpoint by compare-and-set, then everything that the fold changed.
import type { Binary, ClientSession, MongoClient } from 'mongodb';
import {
  type GenerationCollections,
  type StoredCheckpoint,
  type StoredQuarantined,
  type StoredQueueEntry,
  sweepOfQueue,
} from '../collections.ts';
import { FencedError } from '../database-errors.ts';
import { type HeadChange, writeHeads } from '../heads.ts';
import { whileNamed } from '../open-sessions.ts';
import { newlyParked } from '../parking-limit.ts';
import {
  insertShadowSets,
  moveShadowSet,
  type ShadowSet,
  type ShadowStep,
} from '../shadow-sets.ts';
import { insertAll, noWrites, write } from '../write-commands.ts';
import { abort, committed, orAbort, TRANSACTION } from './commit-transaction.ts';
import { countParked, type Parking, refusePaused } from './parking-alarm.ts';
import { NOT_HELD } from './switch-hold.ts';
import { type DocumentWrites, writeDocuments } from './write-documents.ts';

export interface CheckpointStep {
  readonly partition: number;
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
  readonly fingerprints: StoredCheckpoint['fingerprints'];
}

/** Everything that a fold writes, or that folds of several partitions write together. */
export interface FoldWrites {
  /** None for a fold of one stream's queue, which the compare-and-set of its head protects. */
  readonly checkpoints: readonly CheckpointStep[];
  readonly heads: readonly HeadChange[];
  readonly documents: DocumentWrites;
  readonly waiting: readonly StoredQueueEntry[];
  /** Ids of queue entries that are removed. */
  readonly done: readonly string[];
  /** Streams whose queue is erased. */
  readonly erased: readonly string[];
  readonly swept: readonly string[];
  readonly quarantined: readonly StoredQuarantined[];
  /** Shadow sets that begin. */
  readonly begunSets?: readonly ShadowSet[];
  /** A step of a shadow set that has begun. */
  readonly shadowStep?: ShadowStep;
  /** Writes more in the same transaction: an operator's decision. */
  readonly also?: (session: ClientSession) => Promise<void>;
}

/** No writes at all; folds add theirs. */
export const NO_WRITES: FoldWrites = {
  checkpoints: [],
  heads: [],
  documents: new Map(),
  waiting: [],
  done: [],
  erased: [],
  swept: [],
  quarantined: [],
};

/**
 * Commits one fold after another in a session that lives as long as the client. If it went back to the driver's pool,
 * other operations would use its id, and fail when the partition's next owner ends the session.
 */
export interface CommitSession {
  /** Of the server's sessions in which it commits. */
  readonly ids: readonly Binary[];
  /**
   * Writes a fold and commits it.
   *
   * @param endsParts in the transaction of the parts before it (default: in one of its own)
   */
  commit(writes: FoldWrites, endsParts?: boolean): Promise<void>;
  /** Writes a part of a fold, in a transaction that the first part opens. An error aborts the transaction. */
  writePart(writes: FoldWrites, isFirst: boolean): Promise<void>;
  /** Drops the parts that were written, if a transaction is open. */
  abortParts(): Promise<void>;
}

/** @param alarmed whether parked streams count for the alarm; false for an operator's command */
export function openCommitSession(
  client: MongoClient,
  collections: GenerationCollections,
  alarmed = true,
): CommitSession {
  const session = client.startSession();
  const begin = (isOpen: boolean) => {
    if (!isOpen) session.startTransaction(TRANSACTION);
    // Outside of a transaction the writes of a part would take effect alone.
    else if (!session.inTransaction()) throw new Error('The transaction of the parts is gone');
  };
  const writeAll = async (writes: FoldWrites) => {
    // A step of a drain, or of a big change, moves no checkpoint, whose mark would stop it.
    const isStep = writes.done.length > 0 || writes.shadowStep !== undefined;
    if (alarmed && isStep) await refusePaused(collections, session);
    const parking = alarmed ? await parkingOf(collections, writes.heads) : null;
    await writeFold(collections, { writes, parking }, session);
  };
  return {
    ids: [session.id?.id as Binary],
    async commit(writes, endsParts = false) {
      const run = async () => {
        begin(endsParts);
        await committed(session, () => writeAll(writes));
      };
      await (alarmed ? run() : whileNamed(collections.heads.db, session, run));
    },
    async writePart(writes, isFirst) {
      begin(!isFirst);
      await orAbort(session, () => writeAll(writes));
    },
    abortParts: () => abort(session),
  };
}

/** Returns null for a fold that parks no stream, and saves it a round trip. */
async function parkingOf(
  { heads }: GenerationCollections,
  changes: readonly HeadChange[],
): Promise<Parking | null> {
  const parked = newlyParked(changes);
  if (parked.length === 0) return null;
  const added = changes.filter(({ loaded }) => !loaded).length;
  return { parked, streams: (await heads.estimatedDocumentCount()) + added };
}

/**
 * Writes a fold. The checkpoint goes first, so that a former owner fails before it has written anything.
 *
 * @throws FencedError when the partition has another owner, is at another offset or is paused
 * @throws StaleError when another process changed a stream since it was loaded
 * @throws PausedError, TooManyParkedError when it parks streams and the alarm forbids that
 */
async function writeFold(
  collections: GenerationCollections,
  { writes, parking }: { readonly writes: FoldWrites; readonly parking: Parking | null },
  session: ClientSession,
): Promise<void> {
  await moveCheckpoints(collections, writes.checkpoints, session);
  if (parking) await countParked(collections.alarms, parking, session);
  if (writes.shadowStep) await moveShadowSet(collections.shadowSets, writes.shadowStep, session);
  await insertShadowSets(collections.shadowSets, writes.begunSets ?? [], session);
  await writeHeads(collections.heads, writes.heads, session);
  await writes.also?.(session);
  await writeDocuments(collections, writes.documents, session);
  await insertAll(collections.waiting, writes.waiting, session);
  if (writes.done.length > 0) {
    await collections.waiting.deleteMany({ _id: { $in: [...writes.done] } }, { session });
  }
  const left = await eraseQueues(collections, writes.erased, session);
  const swept = [...writes.swept, ...left.map(sweepOfQueue)].map(_id => ({ _id }));
  await insertAll(collections.sweeps, swept, session);
  await insertAll(collections.quarantine, writes.quarantined, session);
}

/** Queue entries that a transaction erases. */
const ERASED_MAX = 5000;

/**
 * Erases the queues of deleted budgets. Long ones would make the transaction too large however few events it has: they are
 * left to the sweep, and nothing reads them meanwhile. Returns the streams of these.
 */
async function eraseQueues(
  { waiting }: GenerationCollections,
  subjects: readonly string[],
  session: ClientSession,
): Promise<readonly string[]> {
  if (subjects.length === 0) return [];
  const ofThese = { subject: { $in: [...subjects] } };
  const counted = { session, limit: ERASED_MAX + 1 };
  if ((await waiting.countDocuments(ofThese, counted)) > ERASED_MAX) return subjects;
  await waiting.deleteMany(ofThese, { session });
  return [];
}

async function moveCheckpoints(
  { checkpoints }: GenerationCollections,
  steps: readonly CheckpointStep[],
  session: ClientSession,
): Promise<void> {
  const updates = steps.map(({ partition, epoch, from, to, fingerprints }) => ({
    q: { _id: partition, epoch, next: from, paused: { $exists: false }, ...NOT_HELD },
    u: { $set: { next: to, fingerprints } },
  }));
  const moved = await write(checkpoints, { ...noWrites(), updates }, session);
  if (moved === steps.length) return;
  const places = steps.map(
    ({ partition, epoch, from }) => `partition ${partition} at offset ${from} under epoch ${epoch}`,
  );
  throw new FencedError(`Expected ${places.join(', ')}, got another checkpoint`);
}
