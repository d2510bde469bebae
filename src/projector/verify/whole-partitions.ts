// Which partitions can be verified: a log that is not the one that was projected says nothing about the read model.
import { DamagedLogError } from '../../event-log/damaged-log-error.ts';
import type { StoredCheckpoint } from '../../read-store/collections.ts';
import { DataLossError, damageOf } from '../log-damage.ts';
import type { Tally } from './report.ts';
import type { VerifySource } from './source.ts';

/** Checkpoints by partition, without those of damaged partitions, which the tally gets. */
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
      tally.differ([{ stream: '', what: `checkpoint ${partition}`, ...NOT_THERE }]);
    } else if (await isWhole({ eventLog }, checkpoint, tally)) whole.set(partition, checkpoint);
  }
  const known = new Set(stored.map(({ _id }) => _id));
  for (let partition = 0; partition < count; partition += 1) {
    // A partition from which nothing was projected has none.
    if (known.has(partition) || !(await heads.findOne({ partition }))) continue;
    const what = `checkpoint ${partition}`;
    tally.differ([{ stream: '', what, expected: 'one, for its streams', stored: null }]);
  }
  return whole;
}

const NOT_THERE = { expected: null, stored: 'one' };

/** Whether a partition is what was projected from it; the tally is told where it is not. */
async function isWhole(
  { eventLog }: Pick<VerifySource, 'eventLog'>,
  checkpoint: StoredCheckpoint,
  tally: Tally,
): Promise<boolean> {
  const { _id: partition } = checkpoint;
  const damage = await orDamage(() => damageOf(eventLog, partition, checkpoint));
  if (damage === null) return true;
  tally.damaged(new DataLossError(eventLog, partition, damage).message);
  return false;
}

/** Also what could not be read of the log is damage of it; that servers are away is not. */
async function orDamage(look: () => Promise<string | null>): Promise<string | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof DamagedLogError) return error.message;
    throw error;
  }
}

// A log that has lost partitions looks the same, but for what other checkpoints know of their number.
function isExtra(
  partition: number,
  count: number,
  checkpoints: readonly StoredCheckpoint[],
): boolean {
  if (partition < count) return false;
  const counts = checkpoints.flatMap(({ partitions }) => partitions ?? []);
  return counts.length > 0 && counts.every(known => known === count);
}
