// Cuts the streams of a partition into ranges of ids, each with about as many events as one pass takes.
import type { EventLog } from '../event-log/event-log.ts';
import type { IdRange } from '../store/stored-streams.ts';

/** Keys sampled to find the cuts: bounds the memory whatever the size of the log. */
const SAMPLE_MAX = 10_000;

export interface CutOptions {
  /** The offset to read up to, not included. */
  readonly to: number;
  readonly eventsMax: number;
  readonly signal: AbortSignal;
}

/** Reads the partition up to an offset once, unless a single pass can take all of it. */
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
