// Finds how far streams go in the log beyond what the read model has applied.
import type { Tail } from './check-append.ts';
import { type Decoded, decode } from './decode.ts';
import type { EventLog } from './event-log.ts';

interface GrowingTail {
  /** Where the stream began; null before its first number is known. */
  partition: number | null;
  sequence: number;
  id: string | null;
  readonly waiting: Map<number, Waiting>;
}

interface Waiting {
  readonly id: string | null;
  /** Null for an entry of the stream's queue. */
  readonly partition: number | null;
}

/**
 * The tails of the given streams at the end of the log.
 *
 * `known` holds each stream wanted with what the read model has of it (sequence 0 where it has
 * nothing; `waiting` from the queue of a held stream), `from` the offset from which to read each
 * partition: the checkpoint's `next`, or none to read from the start. Read the checkpoints before
 * the heads; the other way round, what is applied in between is missed. Memory grows with the
 * streams wanted and the events behind gaps, not with the log.
 */
export async function tailOf(
  log: EventLog,
  known: ReadonlyMap<string, Tail>,
  from: readonly (number | undefined)[],
  signal?: AbortSignal,
): Promise<Map<string, Tail>> {
  const tails = new Map([...known].map(([subject, tail]) => [subject, growing(tail)]));
  const partitions = known.size === 0 ? 0 : await log.partitions();
  for (let partition = 0; partition < partitions; partition += 1) {
    const bounds = await log.bounds(partition);
    const start = Math.max(bounds.start, from[partition] ?? bounds.start);
    for await (const records of log.scan(partition, start, bounds.end, signal)) {
      for (const { key, value } of records) {
        const tail = key === null ? undefined : tails.get(key);
        if (tail) note(tail, decode(value, key), partition);
      }
    }
    signal?.throwIfAborted();
  }
  return new Map([...tails].map(([subject, tail]) => [subject, settled(tail)]));
}

function growing({ partition, sequence, id, waiting }: Tail): GrowingTail {
  const queued = [...waiting].map(number => [number, { id: null, partition: null }] as const);
  return { partition, sequence, id, waiting: new Map(queued) };
}

function settled({ partition, sequence, id, waiting }: GrowingTail): Tail {
  return { partition, sequence, id, waiting: new Set(waiting.keys()) };
}

/**
 * An invalid record counts too, where it tells its number: it waits in the log for an operator. One that belongs to no
 * stream (decode.ts), or lies in another partition than its stream, takes no number.
 */
function note(tail: GrowingTail, decoded: Decoded, partition: number): void {
  const { subject, sequence, id } = envelopeOf(decoded);
  if (subject === null || sequence === null || sequence <= tail.sequence) return;
  if (tail.partition !== null && tail.partition !== partition) return;
  if (!tail.waiting.has(sequence)) tail.waiting.set(sequence, { id, partition });
  let next = tail.waiting.get(tail.sequence + 1);
  while (next !== undefined) {
    tail.waiting.delete(tail.sequence + 1);
    tail.partition ??= next.partition;
    if (next.partition !== null && next.partition !== tail.partition) return;
    tail.sequence += 1;
    tail.id = next.id;
    next = tail.waiting.get(tail.sequence + 1);
  }
}

interface Named {
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly id: string | null;
}

function envelopeOf(decoded: Decoded): Named {
  switch (decoded.kind) {
    case 'event':
      return decoded.event;
    case 'unknown-type':
      return decoded.envelope;
    case 'invalid':
      return decoded;
  }
}
