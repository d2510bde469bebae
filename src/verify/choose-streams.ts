// Chooses the streams of a partial verification: a sample from the log and from the store, or a single stream.

import type { PartitionRange } from '../event-log/event-log.ts';
import { partitionOf } from '../event-log/partition-of.ts';
import { deliveryFromLog } from '../projector/fold/delivery.ts';
import type { StoredCheckpoint } from '../store/collections.ts';
import { partitionsOfHeads, type Selection } from '../store/stored-streams.ts';
import { PASS_EVENTS_MAX, type VerifySource } from './source.ts';

/** Streams of one partition that one pass compares. */
interface ChosenStreams extends Selection {
  readonly streams: readonly string[];
}

type Checkpoints = ReadonlyMap<number, StoredCheckpoint>;

/** Offsets to read from a random one on: it may have no record for readers, but one follows soon. */
const LOOK_AHEAD = 50;
/** Random offsets for each wanted stream: several may hit the same stream. */
const TRIES_PER_STREAM = 4;

/** Half of the streams come from the log, because a sample of the store never finds a missing stream. */
export async function sampleSelections(
  source: VerifySource,
  checkpoints: Checkpoints,
  size: number,
): Promise<ChosenStreams[]> {
  const partitions = await fromLog(source, checkpoints, Math.ceil(size / 2));
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

async function fromLog(
  { eventLog }: VerifySource,
  checkpoints: Checkpoints,
  size: number,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const total = [...checkpoints.values()].reduce((sum, { next }) => sum + next, 0);
  for (
    let tries = 0;
    total > 0 && found.size < size && tries < size * TRIES_PER_STREAM;
    tries += 1
  ) {
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
