// Folds streams from the log without a database, each up to its stored sequence. How far a queue has been drained is a
// matter of time; the documents at a sequence follow from the log alone.
import type { Head } from '../../../projections/documents.ts';
import { withoutMember } from '../../../projections/events/space.ts';
import { newHead } from '../../../projections/new-head.ts';
import { withSkipped } from '../../../projections/skipped.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { EventLog, PartitionRange } from '../../event-log/event-log.ts';
import { type Delivery, deliveryFromLog } from './delivery.ts';
import { BrokenDeliveryError, createFold, deliver, type Fold, reconcileFold } from './fold.ts';
import { belongsTo } from './home.ts';
import { noteConflict, noteWaiting, type UnfoldedDeliveries } from './unfolded.ts';

export interface FoldedStream {
  /** Whether the log has any record of it. */
  readonly isInLog: boolean;
  /** Why it could not be folded up to the stored sequence, null when it was. */
  readonly stuck: string | null;
  /** The first sequence that the log lacks, and a later delivery that the store applied; null when none is missing. */
  readonly missing: { readonly sequence: number; readonly later: Delivery } | null;
  readonly rest: UnfoldedDeliveries;
  /** Sequences of its deletions. */
  readonly deletions: ReadonlySet<number>;
}

/** The fold of the log, and the operators' decisions that it obeys. */
export interface LogFold {
  readonly fold: Fold;
  readonly isSkipped: IsSkipped;
}

export interface FoldedStreams extends LogFold {
  readonly streams: ReadonlyMap<string, FoldedStream>;
}

/** Folds the records of some streams, given in the order of the log. */
export interface StreamFolder {
  has(stream: string): boolean;
  take(delivery: Delivery): void;
  finish(): FoldedStreams;
}

interface Stream {
  /** The stored head: how far to fold. */
  readonly stored: Head;
  /** Deliveries that arrived before their turn, by sequence; of two with the same sequence the first counts. */
  readonly early: Map<number, Delivery>;
  readonly rest: UnfoldedDeliveries;
  readonly deletions: Set<number>;
  /** Ids of the first events that wait, by sequence. */
  readonly eventIds: Map<number, string>;
  isInLog: boolean;
  stuck: string | null;
}

export interface FoldStreamsOptions {
  /** Stored heads of the streams to fold. */
  readonly heads: readonly Head[];
  readonly isSkipped: IsSkipped;
  readonly signal: AbortSignal;
}

/** Folds streams of one partition. The documents of these streams stay in memory. */
export async function foldStreams(
  eventLog: EventLog,
  range: PartitionRange,
  { heads, isSkipped, signal }: FoldStreamsOptions,
): Promise<FoldedStreams> {
  const folder = createStreamFolder(heads, isSkipped);
  await scanStreams(eventLog, range, { ...folder, signal });
  return folder.finish();
}

interface StreamScan extends Pick<StreamFolder, 'has' | 'take'> {
  readonly signal: AbortSignal;
}

/** Takes the deliveries of some streams in the order of the log. */
export async function scanStreams(
  eventLog: EventLog,
  range: PartitionRange,
  { has, take, signal }: StreamScan,
): Promise<void> {
  const partitions = await eventLog.partitions();
  for await (const records of eventLog.scan(range, signal)) {
    for (const record of records) {
      if (record.key !== null && has(record.key)) take(deliveryFromLog(record, partitions));
    }
  }
  // An aborted scan ends early without an error.
  signal.throwIfAborted();
}

export function createStreamFolder(heads: Iterable<Head>, isSkipped: IsSkipped): StreamFolder {
  const logFold = { fold: createFold(), isSkipped };
  const streams = new Map<string, Stream>();
  for (const stored of heads) streams.set(stored.id, streamOf(stored));
  return {
    has: stream => streams.has(stream),
    take(delivery) {
      const stream = streams.get(delivery.subject ?? '');
      if (stream && belongsTo(stream.isInLog, delivery)) take(logFold, stream, delivery);
    },
    finish() {
      const { fold } = logFold;
      const folded = new Map<string, FoldedStream>();
      for (const [id, stream] of streams) {
        skipMissing(logFold, stream);
        removeMembers(fold, stream);
        folded.set(id, { ...stream, missing: missingOf(fold, stream) });
      }
      reconcileFold(fold);
      return { ...logFold, streams: folded };
    },
  };
}

function streamOf(stored: Head): Stream {
  return {
    stored,
    early: new Map(),
    rest: { entries: new Map(), first: null, removed: [], deletion: null },
    deletions: new Set(),
    eventIds: new Map(),
    isInLog: false,
    stuck: null,
  };
}

function take(logFold: LogFold, stream: Stream, delivery: Delivery): void {
  const { isSkipped } = logFold;
  const { stored, rest } = stream;
  const { sequence, event } = delivery;
  stream.isInLog = true;
  if (event?.type === 'budget.deleted') stream.deletions.add(sequence);
  // A deleted stream has nothing left to fold.
  if (stored.deleted) return;
  const waits = sequence === 0 || sequence > stored.sequence;
  if (waits) {
    noteWaiting(rest, delivery, { isSkipped, isFirst: isFirstWith(stream.eventIds, delivery) });
    return;
  }
  noteConflict(stream, delivery, isSkipped);
  applyInOrder(logFold, stream, delivery);
}

// The store applied events in the order of their sequences; an early event waited for its turn.
function applyInOrder(logFold: LogFold, stream: Stream, delivery: Delivery): void {
  const { fold } = logFold;
  const { early, stored } = stream;
  if (stream.stuck !== null || delivery.sequence <= headOf(fold, stored).sequence) return;
  if (!early.has(delivery.sequence)) early.set(delivery.sequence, delivery);
  for (let next = nextOf(logFold, stream); next; next = nextOf(logFold, stream)) {
    const head = headOf(fold, stored);
    const why = apply(logFold, stored, next);
    if (why !== null) {
      stream.stuck = `sequence ${next.sequence}: ${why}`;
      fold.heads.set(stored.id, head);
      early.clear();
      return;
    }
    early.delete(next.sequence);
  }
}

/** Applies the delivery whose turn it is; returns why it is invalid, or null. */
function apply({ fold, isSkipped }: LogFold, stored: Head, delivery: Delivery): string | null {
  const context = { isSkipped, stored: new Set<string>(), broken: new Map<string, string>() };
  try {
    deliver(fold, delivery, context);
  } catch (error) {
    if (!(error instanceof BrokenDeliveryError)) throw error;
    const { set } = headOf(fold, stored);
    // The set may hold half a change.
    if (set !== null) fold.documents.drop(set);
    return `The projections failed: ${error.cause}`;
  }
  fold.queued.clear();
  return headOf(fold, stored).held?.reason ?? null;
}

// Sequences that an operator gave up count as applied.
function nextOf({ fold, isSkipped }: LogFold, { stored, early }: Stream): Delivery | undefined {
  let sequence = headOf(fold, stored).sequence + 1;
  while (!early.has(sequence)) {
    if (early.size === 0 || sequence >= stored.sequence) return undefined;
    if (!isSkipped(stored.id, sequence, null)) return undefined;
    sequence += 1;
  }
  return early.get(sequence);
}

// Given-up sequences count as applied even when the next event is parked, and whether or not their events arrived.
function skipMissing({ fold, isSkipped }: LogFold, { stored }: Stream): void {
  const head = headOf(fold, stored);
  let { sequence } = head;
  while (sequence < stored.sequence && isSkipped(stored.id, sequence + 1, null)) sequence += 1;
  if (!isSkipped(stored.id, sequence, null)) return;
  const eventId = stored.eventId === null || sequence > head.sequence ? null : head.eventId;
  const now = { ...head, sequence, eventId };
  const isFurther = sequence > head.sequence;
  const skipped = isFurther && withSkipped(head.skipped, [head.sequence + 1, sequence]);
  fold.heads.set(stored.id, { ...now, ...(skipped && { skipped }) });
}

function isFirstWith(eventIds: Map<number, string>, { sequence, eventId }: Delivery): boolean {
  const first = eventIds.get(sequence) ?? eventId;
  eventIds.set(sequence, first);
  return first === eventId;
}

// Runs after all applied events: a removal takes effect on arrival, and again with each retry of the queue.
function removeMembers(fold: Fold, { stored, rest }: Stream): void {
  const head = headOf(fold, stored);
  if (!head.space || rest.removed.length === 0) return;
  fold.heads.set(head.id, { ...head, space: rest.removed.reduce(withoutMember, head.space) });
}

function missingOf(fold: Fold, { stored, early }: Stream): FoldedStream['missing'] {
  let later: Delivery | null = null;
  for (const delivery of early.values()) {
    if (!later || delivery.sequence < later.sequence) later = delivery;
  }
  return later && { sequence: headOf(fold, stored).sequence + 1, later };
}

function headOf(fold: Fold, { id, partition }: Head): Head {
  return fold.heads.get(id) ?? newHead(id, partition);
}
