// The hold of a switch that does not come about: the active generation lets its chunks be refused for a moment, so that the
// build reaches it and a transaction finds all its checkpoints free. Nothing relies on a hold; it ends by itself.
import type { Collection } from 'mongodb';
import type { StoredCheckpoint } from '../collections.ts';

/** A hold lasts this long at most, also when the process that holds is killed. */
export const HOLD_MS = 3000;
/** A checkpoint that stays locked longer is no moment of a chunk: the others do not wait for it. */
const WAIT_MS = 1000;

/** Matches checkpoints that no switch holds. A hold that ends later than any can is from before the clock was set back. */
export const NOT_HELD = {
  $expr: {
    $or: [{ $lte: ['$heldUntil', '$$NOW'] }, { $gt: ['$heldUntil', { $add: ['$$NOW', HOLD_MS] }] }],
  },
} as const;

/** Runs work while no chunk moves these checkpoints; releases them before it returns. */
export async function whileHeld<T>(
  checkpoints: Collection<StoredCheckpoint>,
  work: () => Promise<T>,
): Promise<T> {
  const hold = [{ $set: { heldUntil: { $add: ['$$NOW', HOLD_MS] } } }];
  const ids = await checkpoints.distinct('_id');
  try {
    // Each update waits only for the chunk under way in its own partition.
    const begin = (_id: number) => checkpoints.updateOne({ _id }, hold, { maxTimeMS: WAIT_MS });
    const begun = await Promise.allSettled(ids.map(begin));
    for (const one of begun) if (one.status === 'rejected') throw one.reason;
    return await work();
  } finally {
    await checkpoints
      .updateMany({}, { $unset: { heldUntil: '' } }, { maxTimeMS: HOLD_MS })
      .catch(() => {});
  }
}
