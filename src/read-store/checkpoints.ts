// Checkpoints: the next offset of each partition, and who may move it.
import type { Binary, Collection } from 'mongodb';
import type { StoredCheckpoint } from './collections.ts';

export interface Claim {
  readonly partition: number;
  readonly owner: string;
  /** Grows with each claim: a former owner's writes no longer match. */
  readonly epoch: number;
  readonly next: number;
  readonly fingerprints: StoredCheckpoint['fingerprints'];
  /** Partitions of the log when the generation began. */
  readonly partitions: number;
  /** The owner before found that the log had lost data. */
  readonly isHalted: boolean;
}

/** Who claims, and what. */
export interface Claimant {
  readonly partition: number;
  readonly owner: string;
  /** Ids of the sessions in which the new owner will commit. */
  readonly sessions: readonly Binary[];
  /** Partitions that the log has now. */
  readonly partitions: number;
}

/** How long one try of a claim waits for a transaction that holds the checkpoint. */
const CLAIM_MS_MAX = 2000;
/** Checkpoints of partitions that are halted. */
export const HALTED = { 'halted.reason': { $exists: true } } as const;

const MAJORITY = { writeConcern: { w: 'majority' } } as const;
/** How long a look waits for a majority of the servers to have what it sees. */
const READ_MS_MAX = 10_000;

/**
 * Takes a partition over: from here on no former owner can move its checkpoint. A former owner that was stopped
 * in the middle of a transaction would hold what it wrote until the database forgets it, over a minute later; so
 * its server sessions, whose ids stand in the checkpoint, are ended first.
 */
export async function claimPartition(
  checkpoints: Collection<StoredCheckpoint>,
  { partition, owner, sessions, partitions }: Claimant,
): Promise<Claim> {
  const former = await readCheckpoint(checkpoints, partition);
  if (former && former.owner !== owner) {
    const admin = checkpoints.db.client.db('admin');
    await admin.command({ killSessions: former.sessions.map(id => ({ id })) });
  }
  const counted = former?.partitions ?? (await partitionsAtFirst(checkpoints, partitions));
  const claimed = await checkpoints.findOneAndUpdate(
    { _id: partition },
    {
      $inc: { epoch: 1 },
      $set: { owner, sessions: [...sessions], partitions: counted },
      $setOnInsert: { next: 0, fingerprints: [] },
    },
    {
      upsert: true,
      returnDocument: 'after',
      writeConcern: { w: 'majority' },
      maxTimeMS: CLAIM_MS_MAX,
    },
  );
  if (!claimed) throw new Error(`Checkpoint ${partition} was neither found nor made`);
  const { epoch, next, fingerprints, halted } = claimed;
  const isHalted = Boolean(halted);
  return { partition, owner, epoch, next, fingerprints, partitions: counted, isHalted };
}

/**
 * The number that all checkpoints of a generation remember. Those of earlier releases remember none: theirs is what is
 * found now, unless there was a partition that is no more.
 */
async function partitionsAtFirst(
  checkpoints: Collection<StoredCheckpoint>,
  found: number,
): Promise<number> {
  const counted = await checkpoints.findOne({ partitions: { $exists: true } });
  if (counted?.partitions !== undefined) return counted.partitions;
  const last = await checkpoints.findOne({}, { sort: { _id: -1 } });
  return Math.max(found, (last?._id ?? 0) + 1);
}

/** Notes for operators why nothing more is applied from a partition, unless another process has it by now. */
export async function haltPartition(
  checkpoints: Collection<StoredCheckpoint>,
  { partition, epoch }: Pick<Claim, 'partition' | 'epoch'>,
  reason: string,
): Promise<void> {
  const halted = { at: '$$NOW', reason: { $literal: reason } };
  await checkpoints.updateOne({ _id: partition, epoch }, [{ $set: { halted } }], MAJORITY);
}

/** Takes back what `haltPartition` noted: the log is the one that was projected again. */
export async function holdsLog(
  checkpoints: Collection<StoredCheckpoint>,
  { partition, epoch }: Pick<Claim, 'partition' | 'epoch'>,
): Promise<void> {
  await checkpoints.updateOne({ _id: partition, epoch }, { $unset: { halted: '' } }, MAJORITY);
}

/**
 * The checkpoint as it is and stays, null before the first claim. Linearizable, because a commit whose result is
 * unknown may be done on the primary while the majority, and so a read with concern `majority`, is behind.
 */
export function readCheckpoint(
  checkpoints: Collection<StoredCheckpoint>,
  partition: number,
): Promise<StoredCheckpoint | null> {
  const options = { readConcern: { level: 'linearizable' }, maxTimeMS: READ_MS_MAX } as const;
  return checkpoints.findOne({ _id: partition }, options);
}
