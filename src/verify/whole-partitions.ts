// Finds the partitions that can be verified: a log that is not the one that was projected proves nothing.

import { DataLossError, damageOf } from '../projector/log-damage.ts';
import type { StoredCheckpoint } from '../store/collections.ts';
import type { Tally } from './report.ts';
import type { VerifySource } from './source.ts';

/** Returns checkpoints by partition, without damaged partitions, which are added to the tally. */
export async function wholePartitions(
  { store, eventLog }: VerifySource,
  tally: Tally,
): Promise<Map<number, StoredCheckpoint>> {
  const { checkpoints, heads } = store.collections;
  const stored = await checkpoints.find().sort({ _id: 1 }).toArray();
  const count = await eventLog.partitions();
  const whole = new Map<number, StoredCheckpoint>();
  for (const checkpoint of stored) {
    const { _id: partition } = checkpoint;
    if (isExtra(partition, count, stored)) {
      tally.differ([{ stream: '', what: `checkpoint ${partition}`, ...NOT_EXPECTED }]);
    } else if (await isWhole({ eventLog }, checkpoint, tally)) whole.set(partition, checkpoint);
  }
  const known = new Set(stored.map(({ _id }) => _id));
  for (let partition = 0; partition < count; partition += 1) {
    // A partition without streams has no checkpoint.
    if (known.has(partition) || !(await heads.findOne({ partition }))) continue;
    // A partition that was claimed meanwhile got its checkpoint before its first head.
    if (await checkpoints.findOne({ _id: partition })) continue;
    const what = `checkpoint ${partition}`;
    tally.differ([{ stream: '', what, expected: 'one, for its streams', stored: null }]);
  }
  return whole;
}

const NOT_EXPECTED = { expected: null, stored: 'one' };

/** Returns whether a partition is the one that was projected; adds damage to the tally. */
async function isWhole(
  { eventLog }: Pick<VerifySource, 'eventLog'>,
  checkpoint: StoredCheckpoint,
  tally: Tally,
): Promise<boolean> {
  const { _id: partition } = checkpoint;
  const damage = await damageOf(eventLog, partition, checkpoint);
  if (damage === null) return true;
  tally.damaged(new DataLossError(eventLog, partition, damage).message);
  return false;
}

// A log that lost partitions looks the same, except that its checkpoints remember another number of partitions.
function isExtra(
  partition: number,
  count: number,
  checkpoints: readonly StoredCheckpoint[],
): boolean {
  if (partition < count) return false;
  const counts = checkpoints.flatMap(({ partitions }) => partitions ?? []);
  return counts.length > 0 && counts.every(known => known === count);
}
