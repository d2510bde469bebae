// Checks events before they are appended, then appends all of them or nothing. What is in the log already, and no projector
// has applied, counts in both: the ends of streams, and a budget's deletion.
import {
  checkLines,
  type LineProblem,
  parseLines,
  subjectsIn,
  type Tail,
  tailOf,
} from '../../event-log/check-append.ts';
import { decode } from '../../event-log/decode.ts';
import type { Appended, NewRecord } from '../../event-log/event-log.ts';
import { partitionOf } from '../../event-log/partition-of.ts';
import { splitLines } from '../../event-log/split-lines.ts';
import { visibleBounds } from '../../event-log/visible-bounds.ts';
import { UserError } from '../../process/errors.ts';
import { inFilters, loadHeads } from '../../store/heads.ts';
import type { AppendTarget } from '../opening/target.ts';

/** Returns the sentence for people about a line of the input. */
type DescribeProblem = (problem: LineProblem) => string;

export const NOTHING_APPENDED = 'Nothing was appended';

type Input = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Events that may be appended: the schemas and the sequences are right. */
export interface CheckedInput {
  /** One for each line of the input. */
  readonly records: readonly NewRecord[];
  /** The last sequence of each stream in the input. */
  readonly last: ReadonlyMap<string, number>;
  /** The last sequence of each stream in the log. */
  readonly tails: ReadonlyMap<string, Tail>;
}

/** @throws UserError that lists every bad line */
export async function checkInput(
  input: Input,
  target: AppendTarget,
  describe: DescribeProblem,
): Promise<CheckedInput> {
  const parsed = await parseLines(splitLines(input));
  const tails = await knownTails(target, subjectsIn(parsed));
  const checked = checkLines(parsed, tails);
  if (!checked.ok) {
    const lines = checked.problems.map(describe);
    throw new UserError([...lines, NOTHING_APPENDED].join('\n'));
  }
  const last = new Map<string, number>();
  for (const { subject, sequence } of parsed) {
    if (subject === null || sequence === null) continue;
    last.set(subject, Math.max(last.get(subject) ?? 0, sequence));
  }
  return { records: checked.records, last, tails };
}

/** Appends all events or none. Returns the lines to print. */
export async function appendChecked(
  { records }: CheckedInput,
  { eventLog }: AppendTarget,
): Promise<string[]> {
  const positions = await eventLog.append(records);
  return [`appended ${positions.length}`, ...describePositions(positions)];
}

/** Returns the tails of the streams: from the read model, then from the records of the log beyond it. */
export async function knownTails(
  { eventLog, collections }: AppendTarget,
  subjects: ReadonlySet<string>,
): Promise<Map<string, Tail>> {
  // Reading checkpoints before heads shows an event that is applied in between twice; the other order would miss it.
  const checkpoints = await collections.checkpoints.find().toArray();
  const from: (number | undefined)[] = [];
  for (const { _id, next } of checkpoints) from[_id] = next;
  const ids = [...subjects];
  const waiting = new Map(ids.map(id => [id, new Set<number>()]));
  const known = new Map<string, Tail>();
  for (const [id, numbers] of waiting) {
    known.set(id, { sequence: 0, id: null, waiting: numbers });
  }
  for (const head of (await loadHeads(collections.heads, ids)).values()) {
    if (head.deleted) {
      // Events that came after the deletion were dropped: the log alone knows them.
      from[head.partition] = undefined;
      continue;
    }
    const numbers = waiting.get(head.id) ?? new Set();
    const { sequence, eventId: id } = head;
    known.set(head.id, { sequence, id, waiting: numbers });
  }
  for (const some of inFilters(ids)) {
    const queued = collections.waiting
      .find({ subject: { $in: some } })
      .project<{ subject: string; sequence: number }>({ subject: 1, sequence: 1 });
    for await (const { subject, sequence } of queued) waiting.get(subject)?.add(sequence);
  }
  return tailOf(eventLog, known, from);
}

/**
 * Returns the sequence of a budget's deletion in the queue of its stream, or in the part of the log that is not applied
 * yet; null if there is none. It takes place also behind a gap, and a second one would change nothing.
 *
 * @param above the sequence of the budget's head
 */
export async function recordedDeletion(
  { eventLog, collections }: Pick<AppendTarget, 'eventLog' | 'collections'>,
  budgetId: string,
  above: number,
): Promise<number | null> {
  const deletionIn = (value: Uint8Array | string | null) => {
    const decoded = decode(value, budgetId);
    const event = decoded.kind === 'event' ? decoded.event : null;
    return event?.type === 'budget.deleted' && event.sequence > above ? event.sequence : null;
  };
  const partitions = await eventLog.partitions();
  const partition = partitionOf(budgetId, partitions);
  // Before the queue: an event that moves into it meanwhile is then seen in one of both.
  const checkpoint = await collections.checkpoints.findOne({ _id: partition });
  const queue = collections.waiting.find({ subject: budgetId });
  for await (const { value } of queue.project<{ value: string }>({ value: 1 })) {
    const sequence = deletionIn(value);
    if (sequence !== null) return sequence;
  }
  const { start, end: to } = await visibleBounds(eventLog, partition);
  const from = Math.max(start, checkpoint?.next ?? start);
  for await (const records of eventLog.scan({ partition, from, to })) {
    for (const { key, value } of records) {
      const sequence = key === budgetId ? deletionIn(value) : null;
      if (sequence !== null) return sequence;
    }
  }
  return null;
}

// Returns one line per partition with its range of offsets: an append may have thousands of them.
function describePositions(positions: readonly Appended[]): string[] {
  const ranges = new Map<number, { first: number; last: number }>();
  for (const { partition, offset } of positions) {
    const range = ranges.get(partition);
    if (range) range.last = offset;
    else ranges.set(partition, { first: offset, last: offset });
  }
  return [...ranges]
    .sort(([a], [b]) => a - b)
    .map(([partition, { first, last }]) => {
      const offsets = first === last ? `offset ${first}` : `offsets ${first} to ${last}`;
      return `partition ${partition}: ${offsets}`;
    });
}
