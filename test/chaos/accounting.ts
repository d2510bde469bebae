// Accounts for each record of the log once: its sequence is applied, or it waits in the queue of a held stream, or it
// is quarantined.
import type { EventLog } from '../../src/event-log/event-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import type { GenerationCollections } from '../../src/store/collections.ts';

/** The sequences of each stream in the log; records that are no events are left out. */
export type Sequences = Map<string, Set<number>>;

export interface LogContents {
  readonly sequences: Sequences;
  readonly records: number;
  /** Partitions and offsets of the records that belong to no stream. */
  readonly strays: ReadonlySet<string>;
}

export async function readLog(eventLog: EventLog): Promise<LogContents> {
  const sequences: Sequences = new Map();
  const strays = new Set<string>();
  let records = 0;
  const partitions = await eventLog.partitions();
  for (let partition = 0; partition < partitions; partition += 1) {
    const { start, end } = await eventLog.bounds(partition);
    for await (const batch of eventLog.scan({ partition, from: start, to: end })) {
      records += batch.length;
      for (const { offset, key, value } of batch) {
        const event = eventIn(value);
        const isOwnPartition = key !== null && partitionOf(key, partitions) === partition;
        // Only an event makes a stream.
        const isOwn = key !== null && (event ? event.subject === key : sequences.has(key));
        if (!isOwnPartition || !isOwn) {
          strays.add(`${partition}/${offset}`);
        } else if (event) {
          sequences.set(key, (sequences.get(key) ?? new Set()).add(event.sequence));
        }
      }
    }
  }
  return { sequences, records, strays };
}

function eventIn(value: Uint8Array | null): { subject: string; sequence: number } | null {
  try {
    const { subject, sequence } = JSON.parse(Buffer.from(value ?? []).toString());
    return Number.isInteger(sequence) ? { subject, sequence } : null;
  } catch {
    return null;
  }
}

export interface Account {
  readonly streams: number;
  readonly held: number;
  /** A line for each disagreement. */
  readonly wrong: readonly string[];
}

export async function accountFor(
  { heads, waiting, quarantine }: GenerationCollections,
  { sequences, strays }: Pick<LogContents, 'sequences' | 'strays'>,
): Promise<Account> {
  const queues = new Map<string, number[]>();
  for await (const { subject, sequence } of waiting.find().sort({ subject: 1, sequence: 1 })) {
    queues.set(subject, [...(queues.get(subject) ?? []), sequence]);
  }
  const wrong: string[] = [];
  const seen = new Set<string>();
  let held = 0;
  for await (const head of heads.find()) {
    seen.add(head._id);
    if (head.held) held += 1;
    if (head.deleted) continue;
    const queue = queues.get(head._id) ?? [];
    const report = (what: string) => wrong.push(`${head._id} at ${head.sequence}: ${what}`);
    const logged = sequences.get(head._id) ?? new Set();
    const first = queue.find(number => number > 0);
    if ((head.held?.queued ?? 0) !== queue.length) {
      report(`its queue holds ${queue.length}, its head says ${head.held?.queued}`);
    }
    const isGap = head.held?.why === 'gap' && !logged.has(head.sequence + 1);
    if (head.held && head.held.why !== 'parked' && !isGap) {
      report(`held for ever: ${head.held.reason}`);
    }
    if (!isGap && first !== undefined && first > head.sequence + 1) {
      report(`its queue begins at ${first}`);
    }
    const known = new Set([...logged].filter(number => number > head.sequence));
    for (const number of queue) known.delete(number);
    if (known.size > 0) report(`lost: ${[...known].slice(0, 5)}`);
    for (let number = 1; number <= head.sequence; number += 1) {
      if (!logged.has(number)) report(`number ${number} was applied, but is not in the log`);
    }
  }
  for (const subject of sequences.keys()) if (!seen.has(subject)) wrong.push(`${subject}: no head`);
  const quarantinedPlaces = new Set(await quarantine.distinct('_id'));
  for (const place of strays) {
    if (!quarantinedPlaces.delete(place)) wrong.push(`${place}: not quarantined`);
  }
  for (const place of quarantinedPlaces)
    wrong.push(`${place}: quarantined, though it belongs to a stream`);
  return { streams: seen.size, held, wrong };
}
