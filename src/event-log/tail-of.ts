// Finds the ends of streams in the log, past the events that the read model has applied.
import type { Tail } from './check-append.ts';
import { type Decoded, decode, readableParts } from './decode.ts';
import type { EventLog } from './event-log.ts';
import { partitionOf } from './partition-of.ts';

interface GrowingTail {
  sequence: number;
  id: string | null;
  /** The id of each sequence after a gap; null for an entry of the stream's queue in the read model. */
  readonly waiting: Map<number, string | null>;
}

/**
 * Returns the tails of the given streams at the end of the log. Memory grows with the number of streams and of events
 * after gaps, not with the log.
 *
 * @param known the tail of each wanted stream in the read model: sequence 0 for a new stream, `waiting` from the queue
 *   of a held one. Read the checkpoints before these heads: in the other order events applied in between are missed
 * @param from the offset to start reading each partition at: its checkpoint's `next`; undefined reads from the start
 */
export async function tailOf(
  eventLog: EventLog,
  known: ReadonlyMap<string, Tail>,
  from: readonly (number | undefined)[],
): Promise<Map<string, Tail>> {
  const tails = new Map([...known].map(([subject, tail]) => [subject, growingTail(tail)]));
  const partitions = known.size === 0 ? 0 : await eventLog.partitions();
  for (let partition = 0; partition < partitions; partition += 1) {
    const bounds = await eventLog.bounds(partition);
    const start = Math.max(bounds.start, from[partition] ?? bounds.start);
    for await (const records of eventLog.scan({ partition, from: start, to: bounds.end })) {
      for (const { key, value } of records) {
        const tail = key === null ? undefined : tails.get(key);
        if (key === null || !tail || partitionOf(key, partitions) !== partition) continue;
        advance(tail, decode(value, key));
      }
    }
  }
  return new Map([...tails].map(([subject, tail]) => [subject, finalTail(tail)]));
}

function growingTail({ sequence, id, waiting }: Tail): GrowingTail {
  return { sequence, id, waiting: new Map([...waiting].map(number => [number, null])) };
}

function finalTail({ sequence, id, waiting }: GrowingTail): Tail {
  return { sequence, id, waiting: new Set(waiting.keys()) };
}

/**
 * An invalid record with a readable sequence counts too: its stream waits at it for an operator. A record without a
 * stream (decode.ts), or in another partition than its key's, takes no sequence.
 */
function advance(tail: GrowingTail, decoded: Decoded): void {
  const { subject, sequence, id } = readableParts(decoded);
  if (subject === null || sequence === null || sequence <= tail.sequence) return;
  if (!tail.waiting.has(sequence)) tail.waiting.set(sequence, id);
  let next = tail.waiting.get(tail.sequence + 1);
  while (next !== undefined) {
    tail.sequence += 1;
    tail.id = next;
    tail.waiting.delete(tail.sequence);
    next = tail.waiting.get(tail.sequence + 1);
  }
}
