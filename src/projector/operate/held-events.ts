// The first events in the queues of held streams, for the operators' page: ids, types and times, and no contents.
import { shownTime } from '../../../projections/time.ts';
import { decode, readableParts } from '../../event-log/decode.ts';
import { generationCollections, type StoredQueueEntry } from '../../store/collections.ts';
import type { ReadDatabase } from '../../store/snapshot.ts';
import type { SystemStatus } from './system-status.ts';

/** An event that waits. Its contents may be personal, so they are not here. */
export interface HeldEvent {
  readonly sequence: number;
  readonly id: string;
  /** Null where none can be read from the record. */
  readonly type: string | null;
  /** UTC with milliseconds; null where none can be read from the record. */
  readonly time: string | null;
}

/** By generation and stream; in order of their sequences, at most HELD_EVENTS_MAX. */
export type HeldEvents = ReadonlyMap<string, ReadonlyMap<string, readonly HeldEvent[]>>;

/** Of each stream. */
export const HELD_EVENTS_MAX = 5;
/** A larger record is not loaded, so the type of its event is not known. */
const VALUE_BYTES_MAX = 65_536;

/** A type of another form may hold anything, so it is not shown. */
const TYPE = /^[A-Za-z0-9_.-]{1,100}$/;

interface FoundQueue {
  _id: string;
  events: (Pick<StoredQueueEntry, 'sequence' | 'eventId' | 'timestamp'> & {
    value: string | null;
  })[];
}

export async function readHeldEvents(
  readModel: ReadDatabase,
  { generations }: SystemStatus,
): Promise<HeldEvents> {
  const byGeneration = new Map<string, ReadonlyMap<string, readonly HeldEvent[]>>();
  for (const { id, heldStreams } of generations) {
    if (heldStreams.length === 0) continue;
    const streams = heldStreams.map(({ stream }) => stream);
    const queues = await findQueues(readModel, id, streams);
    byGeneration.set(id, new Map(queues.map(queue => [queue._id, queue.events.map(toHeldEvent)])));
  }
  return byGeneration;
}

function findQueues(db: ReadDatabase, generation: string, streams: readonly string[]) {
  const { heads, waiting } = generationCollections(db, generation);
  const isSmall = { $lte: [{ $strLenBytes: '$value' }, VALUE_BYTES_MAX] };
  const value = { $cond: [isSmall, '$value', null] };
  const first = [
    { $sort: { sequence: 1, offset: 1 } },
    { $limit: HELD_EVENTS_MAX },
    { $project: { sequence: 1, eventId: 1, timestamp: 1, value } },
  ];
  const from = waiting.collectionName;
  const fields = { localField: '_id', foreignField: 'subject', as: 'events' };
  return heads
    .aggregate<FoundQueue>([
      { $match: { _id: { $in: streams } } },
      { $project: { _id: 1 } },
      { $lookup: { from, ...fields, pipeline: first } },
    ])
    .toArray();
}

function toHeldEvent({ sequence, eventId, value, timestamp }: FoundQueue['events'][number]) {
  const { type = null, time = null } = value === null ? {} : readableParts(decode(value));
  const shown = time === null ? (timestamp ?? null) : shownTime(time);
  const isType = type !== null && TYPE.test(type);
  return { sequence, id: eventId ?? '', type: isType ? type : null, time: shown };
}
