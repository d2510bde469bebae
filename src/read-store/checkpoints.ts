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
}

/** How long one try of a claim waits for a transaction that holds the checkpoint. */
const CLAIM_MS_MAX = 2000;
/** How long a look waits for a majority of the servers to have what it sees. */
const READ_MS_MAX = 10_000;

/**
 * Takes a partition over: from here on no former owner can move its checkpoint. A former owner that was stopped
 * in the middle of a transaction would hold what it wrote until the database forgets it, over a minute later; so
 * its server sessions, whose ids stand in the checkpoint, are ended first.
 *
 * @param sessions ids of the sessions in which the new owner will commit
 */
export async function claimPartition(
  checkpoints: Collection<StoredCheckpoint>,
  partition: number,
  owner: string,
  sessions: readonly Binary[],
): Promise<Claim> {
  const former = await readCheckpoint(checkpoints, partition);
  if (former && former.owner !== owner) {
    const admin = checkpoints.db.client.db('admin');
    await admin.command({ killSessions: former.sessions.map(id => ({ id })) });
  }
  const claimed = await checkpoints.findOneAndUpdate(
    { _id: partition },
    {
      $inc: { epoch: 1 },
      $set: { owner, sessions: [...sessions] },
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
  const { epoch, next, fingerprints } = claimed;
  return { partition, owner, epoch, next, fingerprints };
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
