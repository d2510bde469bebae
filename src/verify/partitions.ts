// The partitions of a verification: those that can be verified, and the ranges of ids into which the streams of one are
// cut.
import type { EventLog } from '../event-log/event-log.ts';
import { DataLossError, damageOf } from '../projector/log-damage.ts';
import type { StoredCheckpoint } from '../store/collections.ts';
import type { IdRange } from '../store/stored-streams.ts';
import type { Tally } from './report.ts';
import type { VerifySource } from './source.ts';

/**
 * Returns checkpoints by partition, without damaged partitions, which are added to the tally: a log that is not the one that
 * was projected proves nothing.
 */
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

/** Keys sampled to find the cuts: bounds the memory whatever the size of the log. */
const SAMPLE_MAX = 10_000;

export interface CutOptions {
  /** The offset to read up to, not included. */
  readonly to: number;
  readonly eventsMax: number;
  readonly signal: AbortSignal;
}

/**
 * Returns ranges of ids, each with about as many events as one pass takes. Reads the partition up to an offset once, unless
 * a single pass can take all of it.
 */
export async function rangesOf(
  eventLog: EventLog,
  partition: number,
  { to, eventsMax, signal }: CutOptions,
): Promise<IdRange[]> {
  if (to <= eventsMax) return [{ from: null, to: null }];
  const sample: string[] = [];
  let count = 0;
  for await (const records of eventLog.scan({ partition, from: 0, to }, signal)) {
    for (const { key } of records) {
      if (key === null) continue;
      count += 1;
      // Reservoir sampling: each key so far is in the sample with the same probability.
      if (sample.length < SAMPLE_MAX) sample.push(key);
      else {
        const place = Math.floor(Math.random() * count);
        if (place < SAMPLE_MAX) sample[place] = key;
      }
    }
  }
  signal.throwIfAborted();
  return cutRanges(sample, (eventsMax / Math.max(count, 1)) * sample.length);
}

/**
 * Returns ranges that cover all ids, each with at most `sizeMax` of the keys. A key that occurs more often has a range
 * of its own.
 */
export function cutRanges(keys: readonly string[], sizeMax: number): IdRange[] {
  const counts = new Map<string, number>();
  for (const key of [...keys].sort()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const cuts: string[] = [];
  let size = 0;
  for (const [key, count] of counts) {
    if (size + count > sizeMax && size > 0) {
      cuts.push(key);
      size = 0;
    }
    size += count;
    if (count <= sizeMax) continue;
    // No id sorts between this one and this one followed by a zero character.
    cuts.push(`${key}\0`);
    size = 0;
  }
  const bounds = [null, ...cuts, null];
  return bounds.slice(1).map((to, index) => ({ from: bounds[index] ?? null, to }));
}
