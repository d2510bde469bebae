// The streams of a verification that is not of all: a sample of those in the log and of those stored, or a single one.
import type { StoredCheckpoint } from '../../read-store/collections.ts';
import { partitionsOfHeads, type Selection } from '../../read-store/stored-streams.ts';
import { deliveryOf } from '../fold/delivery.ts';
import { PASS_EVENTS_MAX, type VerifySource } from './source.ts';

type Checkpoints = ReadonlyMap<number, StoredCheckpoint>;

/** A place in the log may be one that readers do not see; the next record is near. */
const LOOK_AHEAD = 50;
const TRIES_PER_STREAM = 4;

/** Half of the streams come from the log: among those that are stored, none is missing. */
export async function sampleSelections(
  source: VerifySource,
  checkpoints: Checkpoints,
  size: number,
): Promise<Selection[]> {
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
    let place = Math.floor(Math.random() * total);
    for (const [partition, { next }] of checkpoints) {
      if (place >= next) {
        place -= next;
        continue;
      }
      const subject = await subjectAt(
        eventLog,
        partition,
        place,
        Math.min(next, place + LOOK_AHEAD),
      );
      if (subject !== null) found.set(subject, partition);
      break;
    }
  }
  return found;
}

async function subjectAt(
  eventLog: VerifySource['eventLog'],
  partition: number,
  from: number,
  to: number,
): Promise<string | null> {
  for await (const [record] of eventLog.scan(partition, from, to)) {
    if (record) return deliveryOf(record).subject;
  }
  return null;
}

/** Streams of one partition each, in passes of bounded size. */
function selectionsOf(
  partitions: ReadonlyMap<string, number>,
  sequences: ReadonlyMap<string, number>,
  eventsMax: number,
): Selection[] {
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

/** None where neither the log nor the store knows the stream. */
export async function selectionsOfStream(
  { database, generation, eventLog }: VerifySource,
  checkpoints: Checkpoints,
  stream: string,
  signal: AbortSignal,
): Promise<Selection[]> {
  const head = (await partitionsOfHeads(database, generation, [stream])).get(stream);
  if (head) return [{ partition: head.partition, streams: [stream] }];
  const selections: Selection[] = [];
  for (const [partition, { next }] of checkpoints) {
    let isThere = false;
    for await (const records of eventLog.scan(partition, 0, next, signal)) {
      isThere ||= records.some(({ key }) => key === stream);
      if (isThere) break;
    }
    signal.throwIfAborted();
    if (isThere) selections.push({ partition, streams: [stream] });
  }
  return selections;
}
