// Checkpoints: the next offset of each partition, and who may move it.
import type { Binary, Collection } from 'mongodb';
import type { StoredCheckpoint } from './collections.ts';

export interface Claim {
  readonly partition: number;
  /** Grows with each claim: a former owner's writes no longer match. */
  readonly epoch: number;
  readonly next: number;
  readonly fingerprints: StoredCheckpoint['fingerprints'];
}

/** How long one try of a claim waits for a transaction that holds the checkpoint. */
const CLAIM_MS_MAX = 2000;

/**
 * Takes a partition over: from here on no former owner can move its checkpoint. A former owner that was stopped
 * in the middle of a transaction would hold what it wrote until the database forgets it, over a minute later; so
 * its server session, whose id stands in the checkpoint, is ended first.
 *
 * @param session id of the session in which the new owner will commit
 */
export async function claimPartition(
  checkpoints: Collection<StoredCheckpoint>,
  partition: number,
  owner: string,
  session: Binary,
): Promise<Claim> {
  const former = await readCheckpoint(checkpoints, partition);
  if (former && former.owner !== owner) {
    const admin = checkpoints.db.client.db('admin');
    await admin.command({ killSessions: [{ id: former.session }] });
  }
  const claimed = await checkpoints.findOneAndUpdate(
    { _id: partition },
    { $inc: { epoch: 1 }, $set: { owner, session }, $setOnInsert: { next: 0, fingerprints: [] } },
    {
      upsert: true,
      returnDocument: 'after',
      writeConcern: { w: 'majority' },
      maxTimeMS: CLAIM_MS_MAX,
    },
  );
  if (!claimed) throw new Error(`Checkpoint ${partition} was neither found nor made`);
  const { epoch, next, fingerprints } = claimed;
  return { partition, epoch, next, fingerprints };
}

/** The checkpoint as it is, null before the first claim. */
export function readCheckpoint(
  checkpoints: Collection<StoredCheckpoint>,
  partition: number,
): Promise<StoredCheckpoint | null> {
  return checkpoints.findOne({ _id: partition }, { readConcern: { level: 'majority' } });
}
