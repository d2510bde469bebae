// What a verification covers: the partitions that can be verified; the ranges of ids into which the streams of one are cut;
// and of a partial one a sample from the log and from the store, or a single stream.
import type { EventLog, PartitionRange } from '../event-log/event-log.ts';
import { partitionOf } from '../event-log/partition-of.ts';
import { deliveryFromLog } from '../projector/fold/delivery.ts';
import { damageOf } from '../projector/log-damage.ts';
import type { StoredCheckpoint } from '../store/collections.ts';
import { type IdRange, partitionsOfHeads, type Selection } from '../store/stored-streams.ts';
import type { Tally } from './report.ts';
import { PASS_EVENTS_MAX, type VerifySource } from './source.ts';

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
      continue;
    }
    const damage = await damageOf(eventLog, partition, checkpoint);
    if (damage === null) whole.set(partition, checkpoint);
    else tally.damaged(damage);
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

/** Streams of one partition that one pass compares. */
interface ChosenStreams extends Selection {
  readonly streams: readonly string[];
}

type Checkpoints = ReadonlyMap<number, StoredCheckpoint>;

/** Offsets to read from a random one on: it may have no record for readers, but one follows soon. */
const LOOK_AHEAD = 50;
/** Random offsets for each wanted stream: several may hit the same stream. */
const TRIES_PER_STREAM = 4;
/** A sample is no larger than the number of heads, but up to this many, because heads may be missing. */
const HEADS_MIN = 1000;

interface SampleOptions {
  /** The number of streams, from 1. */
  readonly sample: number;
  readonly signal: AbortSignal;
}

/** Half of the streams come from the log, because a sample of the store never finds a missing stream. */
export async function sampleSelections(
  source: VerifySource,
  checkpoints: Checkpoints,
  { sample, signal }: SampleOptions,
): Promise<ChosenStreams[]> {
  const heads = await source.store.collections.heads.estimatedDocumentCount();
  const size = Math.min(sample, Math.max(heads, HEADS_MIN));
  const wanted = { sample: Math.ceil(size / 2), signal };
  const partitions = await fromLog(source.eventLog, checkpoints, wanted);
  const known = await partitionsOfHeads(source.database, source.generation, [...partitions.keys()]);
  for (const [id, { partition }] of known) partitions.set(id, partition);
  const sequences = new Map([...known].map(([id, { sequence }]) => [id, sequence]));
  const stored = source.store.collections.heads.aggregate<{
    _id: string;
    partition: number;
    sequence: number;
  }>([{ $sample: { size } }, { $project: { partition: 1, sequence: 1 } }]);
  for await (const { _id, partition, sequence } of stored) {
    if (partitions.size >= size && !partitions.has(_id)) continue;
    if (!checkpoints.has(partition)) continue;
    partitions.set(_id, partition);
    sequences.set(_id, sequence);
  }
  return selectionsOf(partitions, sequences, source.passEventsMax ?? PASS_EVENTS_MAX);
}

/** Returns partitions by stream. */
async function fromLog(
  eventLog: EventLog,
  checkpoints: Checkpoints,
  { sample, signal }: SampleOptions,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const total = [...checkpoints.values()].reduce((sum, { next }) => sum + next, 0);
  const triesMax = total === 0 ? 0 : sample * TRIES_PER_STREAM;
  for (let tries = 0; found.size < sample && tries < triesMax; tries += 1) {
    signal.throwIfAborted();
    let from = Math.floor(Math.random() * total);
    for (const [partition, { next }] of checkpoints) {
      if (from >= next) {
        from -= next;
        continue;
      }
      const to = Math.min(next, from + LOOK_AHEAD);
      const subject = await firstSubject(eventLog, { partition, from, to });
      if (subject !== null) found.set(subject, partition);
      break;
    }
  }
  return found;
}

async function firstSubject(
  eventLog: VerifySource['eventLog'],
  range: PartitionRange,
): Promise<string | null> {
  for await (const [record] of eventLog.scan(range)) {
    if (record) return deliveryFromLog(record, await eventLog.partitions()).subject;
  }
  return null;
}

/** Returns passes of bounded size, each over streams of one partition. */
function selectionsOf(
  partitions: ReadonlyMap<string, number>,
  sequences: ReadonlyMap<string, number>,
  eventsMax: number,
): ChosenStreams[] {
  const selections: { partition: number; streams: string[] }[] = [];
  let events = 0;
  for (const [id, partition] of [...partitions].sort((a, b) => a[1] - b[1])) {
    const sequence = sequences.get(id) ?? 0;
    const last = selections.at(-1);
    if (last?.partition === partition && events + sequence <= eventsMax) {
      last.streams.push(id);
      events += sequence;
    } else {
      selections.push({ partition, streams: [id] });
      events = sequence;
    }
  }
  return selections;
}

/** Returns no selection when neither the log nor the store knows the stream. */
export async function selectionsOfStream(
  { database, generation, eventLog }: VerifySource,
  checkpoints: Checkpoints,
  { stream, signal }: { readonly stream: string; readonly signal: AbortSignal },
): Promise<ChosenStreams[]> {
  const head = (await partitionsOfHeads(database, generation, [stream])).get(stream);
  if (head) return [{ partition: head.partition, streams: [stream] }];
  const partition = partitionOf(stream, await eventLog.partitions());
  const to = checkpoints.get(partition)?.next ?? 0;
  for await (const records of eventLog.scan({ partition, from: 0, to }, signal)) {
    if (records.some(({ key }) => key === stream)) return [{ partition, streams: [stream] }];
  }
  signal.throwIfAborted();
  return [];
}
