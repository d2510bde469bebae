// Finds how far streams go in the log beyond what the read model has applied.
import type { Tail } from './check-append.ts';
import { type Decoded, decode } from './decode.ts';
import type { EventLog } from './event-log.ts';

interface GrowingTail {
  sequence: number;
  id: string | null;
  readonly waiting: Map<number, string | null>;
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
        if (key === null || tails.has(key)) note(tails, decode(value, key));
      }
    }
    signal?.throwIfAborted();
  }
  return new Map([...tails].map(([subject, tail]) => [subject, settled(tail)]));
}

function growing({ sequence, id, waiting }: Tail): GrowingTail {
  return { sequence, id, waiting: new Map([...waiting].map(number => [number, null])) };
}

function settled({ sequence, id, waiting }: GrowingTail): Tail {
  return { sequence, id, waiting: new Set(waiting.keys()) };
}

/** An invalid record counts too, where it tells its number: it waits in the log for an operator. */
function note(tails: ReadonlyMap<string, GrowingTail>, decoded: Decoded): void {
  const { subject, sequence, id } = envelopeOf(decoded);
  const tail = subject === null ? undefined : tails.get(subject);
  if (tail === undefined || sequence === null || sequence <= tail.sequence) return;
  if (!tail.waiting.has(sequence)) tail.waiting.set(sequence, id);
  let next = tail.waiting.get(tail.sequence + 1);
  while (next !== undefined) {
    tail.sequence += 1;
    tail.id = next;
    tail.waiting.delete(tail.sequence);
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
