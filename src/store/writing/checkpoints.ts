// Checkpoints: the next offset of each partition, and the owner that may move it.
import type { Binary, Collection } from 'mongodb';
import type { StoredCheckpoint } from '../collections.ts';
import { FencedError } from '../database-errors.ts';
import { endLockers, endSessions } from '../open-sessions.ts';
import { isDropped, LINEARIZABLE, readRegistry } from '../registry.ts';
import { MAJORITY } from '../write-commands.ts';

export interface Claim {
  readonly partition: number;
  readonly owner: string;
  /** Grows with each claim: a former owner's writes no longer match. */
  readonly epoch: number;
  readonly next: number;
  readonly fingerprints: StoredCheckpoint['fingerprints'];
  /** Number of partitions that the log had when the generation began. */
  readonly partitions: number;
  /** The former owner found that the log had lost data. */
  readonly isHalted: boolean;
}

/** The process that claims a partition. */
export interface Claimant {
  readonly partition: number;
  readonly owner: string;
  /** Ids of the sessions in which the new owner commits. */
  readonly sessions: readonly Binary[];
  /** Number of partitions that the log had when the generation began. */
  readonly partitions: number;
}

/** A claim that waits longer for a transaction that locks the checkpoint fails, and may be retried. */
const CLAIM_MS_MAX = 2000;
/** Matches the checkpoints of halted partitions. */
export const HALTED = { 'halted.reason': { $exists: true } } as const;

/** Returns how many partitions the log had when the generation began, null before the first claim: all checkpoints say so. */
export async function partitionsBegun(
  checkpoints: Collection<StoredCheckpoint>,
): Promise<number | null> {
  return (await checkpoints.findOne())?.partitions ?? null;
}

/** Returns who claimed each partition last, and how far it is. */
export async function claimsOf(
  checkpoints: Collection<StoredCheckpoint>,
): Promise<Pick<StoredCheckpoint, 'owner' | 'epoch' | 'next'>[]> {
  const stored = await checkpoints.find().sort({ _id: 1 }).toArray();
  return stored.map(({ owner, epoch, next }) => ({ owner, epoch, next }));
}

/**
 * Takes a partition over: afterwards no former owner can move its checkpoint. A former owner that was stopped in the
 * middle of a transaction would lock its writes for over a minute, until the database aborts the transaction. So its
 * server sessions, whose ids are in the checkpoint, are ended first.
 *
 * @throws FencedError when the generation was dropped while this process stood still: nothing may make it again
 */
export async function claimPartition(
  checkpoints: Collection<StoredCheckpoint>,
  { partition, owner, sessions, partitions }: Claimant,
): Promise<Claim> {
  const former = await readCheckpoint(checkpoints, partition);
  if (former && former.owner !== owner) await endSessions(checkpoints.db, former.sessions);
  const claim = checkpoints.findOneAndUpdate(
    { _id: partition },
    {
      $inc: { epoch: 1 },
      $set: { owner, sessions: [...sessions], partitions },
      $setOnInsert: { next: 0, fingerprints: [] },
    },
    {
      upsert: true,
      returnDocument: 'after',
      ...MAJORITY,
      maxTimeMS: CLAIM_MS_MAX,
    },
  );
  const claimed = await claim.catch(async (error: unknown) => {
    // A switch whose process was killed may have locked it.
    await endLockers(checkpoints, { failures: 1, error });
    throw error;
  });
  if (!claimed) throw new Error(`Checkpoint ${partition} was neither found nor made`);
  const { epoch, next, fingerprints, halted } = claimed;
  // The checkpoint may have been inserted just now, or by an attempt whose answer got lost.
  if (next === 0) await refuseDropped(checkpoints);
  const isHalted = Boolean(halted);
  return { partition, owner, epoch, next, fingerprints, partitions, isHalted };
}

/** A generation leaves the registry first: what was inserted before this read is dropped with its collections. */
async function refuseDropped({ db, collectionName }: Collection<StoredCheckpoint>): Promise<void> {
  const [generation = ''] = collectionName.split('_');
  if (!isDropped(await readRegistry(db, LINEARIZABLE), generation)) return;
  throw new FencedError(`Generation ${generation} was dropped: this process feeds it no longer`);
}

/** Stores for operators why a partition is halted, unless another process owns it by now. */
export async function haltPartition(
  checkpoints: Collection<StoredCheckpoint>,
  { partition, epoch }: Pick<Claim, 'partition' | 'epoch'>,
  reason: string,
): Promise<void> {
  const halted = { at: '$$NOW', reason: { $literal: reason } };
  await checkpoints.updateOne({ _id: partition, epoch }, [{ $set: { halted } }], MAJORITY);
}

/** Removes the reason that `haltPartition` stored: the log is again the one that was projected. */
export async function holdsLog(
  checkpoints: Collection<StoredCheckpoint>,
  { partition, epoch }: Pick<Claim, 'partition' | 'epoch'>,
): Promise<void> {
  await checkpoints.updateOne({ _id: partition, epoch }, { $unset: { halted: '' } }, MAJORITY);
}

/**
 * Returns the checkpoint, null before the first claim. The read is linearizable: after a commit with an unknown result
 * the primary may have the write already, while a read with concern `majority` would miss it.
 */
export function readCheckpoint(
  checkpoints: Collection<StoredCheckpoint>,
  partition: number,
): Promise<StoredCheckpoint | null> {
  return checkpoints.findOne({ _id: partition }, LINEARIZABLE);
}
