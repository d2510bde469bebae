// Checkpoints: the next offset of each partition, and who may move it.
import type { Collection } from 'mongodb';
import type { StoredCheckpoint } from './collections.ts';

export interface Claim {
  readonly partition: number;
  /** Grows with each claim: a former owner's writes no longer match. */
  readonly epoch: number;
  readonly next: number;
  readonly fingerprints: StoredCheckpoint['fingerprints'];
}

/** Takes a partition over: from here on no former owner can move its checkpoint. */
export async function claimPartition(
  checkpoints: Collection<StoredCheckpoint>,
  partition: number,
  owner: string,
): Promise<Claim> {
  const claimed = await checkpoints.findOneAndUpdate(
    { _id: partition },
    { $inc: { epoch: 1 }, $set: { owner }, $setOnInsert: { next: 0, fingerprints: [] } },
    { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' }, maxTimeMS: 2000 },
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
