// Folds streams from the log, each up to the sequence that the store has of it, without a database. When a queue was
// drained, and where chunks were cut, decides how far a stream with conflicts has come; its documents at a sequence
// follow from the log alone.
import type { Head } from '../../../projections/documents.ts';
import { withoutMember } from '../../../projections/events/space.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { type Delivery, deliveryOf } from '../fold/delivery.ts';
import {
  BrokenDeliveryError,
  createFold,
  deliver,
  type Fold,
  newHead,
  reconcileFold,
} from '../fold/fold.ts';
import { createRest, noteConflict, noteWaiting, type Rest } from './unfolded.ts';

/** The part of a partition to read. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface FoldedStream {
  /** Whether the log has any record of it. */
  readonly isInLog: boolean;
  /** Why it could not be folded as far as the store has it. */
  readonly stuck: string | null;
  /** A number that the log has not, though it has later ones that the store applied. */
  readonly missing: { readonly sequence: number; readonly later: Delivery } | null;
  readonly rest: Rest;
  /** Members whom an event without effect of its own may have removed. */
  readonly perhapsRemoved: ReadonlySet<string>;
  /** Numbers of its deletions. */
  readonly deletions: ReadonlySet<number>;
}

export interface FoldedStreams {
  readonly fold: Fold;
  readonly streams: ReadonlyMap<string, FoldedStream>;
}

/** Takes the records of some streams in the order of the log. */
export interface StreamFolder {
  has(stream: string): boolean;
  take(delivery: Delivery): void;
  finish(): FoldedStreams;
}

interface Stream {
  /** The stored head: how far to fold. */
  readonly stored: Head;
  /** Deliveries that came before their turn; of two with one number the first counts. */
  readonly early: Map<number, Delivery>;
  readonly rest: Rest;
  readonly perhapsRemoved: Set<string>;
  readonly deletions: Set<number>;
  /** Ids of the events of a space, by number. */
  readonly eventIds: Map<number, string>;
  isInLog: boolean;
  stuck: string | null;
}

/** Folds the given streams of one partition. Its memory is that of these streams' documents. */
export async function foldStreams(
  eventLog: EventLog,
  partition: number,
  { from, to }: Range,
  heads: readonly Head[],
  isSkipped: IsSkipped,
  signal: AbortSignal,
): Promise<FoldedStreams> {
  const folder = createStreamFolder(heads, isSkipped);
  for await (const records of eventLog.scan(partition, from, to, signal)) {
    for (const record of records) {
      if (record.key !== null && folder.has(record.key)) folder.take(deliveryOf(record));
    }
  }
  // A scan that is broken off ends early.
  signal.throwIfAborted();
  return folder.finish();
}

export function createStreamFolder(heads: Iterable<Head>, isSkipped: IsSkipped): StreamFolder {
  const fold = createFold();
  const streams = new Map<string, Stream>();
  for (const stored of heads) streams.set(stored.id, streamOf(stored));
  return {
    has: stream => streams.has(stream),
    take(delivery) {
      const stream = streams.get(delivery.subject ?? '');
      if (stream) take(fold, stream, delivery, isSkipped);
    },
    finish() {
      const folded = new Map<string, FoldedStream>();
      for (const [id, stream] of streams) {
        pastGivenUp(fold, stream, isSkipped);
        withoutRemoved(fold, stream);
        folded.set(id, { ...stream, missing: missingOf(fold, stream) });
      }
      reconcileFold(fold);
      return { fold, streams: folded };
    },
  };
}

function streamOf(stored: Head): Stream {
  return {
    stored,
    early: new Map(),
    rest: createRest(),
    perhapsRemoved: new Set(),
    deletions: new Set(),
    eventIds: new Map(),
    isInLog: false,
    stuck: null,
  };
}

function take(fold: Fold, stream: Stream, delivery: Delivery, isSkipped: IsSkipped): void {
  const { stored, rest } = stream;
  const { sequence, event } = delivery;
  stream.isInLog = true;
  if (event?.type === 'budget.deleted') stream.deletions.add(sequence);
  // A deleted stream leaves nothing that could be folded.
  if (stored.deleted) return;
  if (sequence === 0 || sequence > stored.sequence) {
    noteWaiting(rest, delivery, isSkipped);
    return;
  }
  noteConflict(rest, stored, delivery, isSkipped);
  noteRemoval(stream, delivery);
  inTurn(fold, stream, delivery, isSkipped);
}

// What the store applied, it applied in the order of numbers; what came early had to wait.
function inTurn(fold: Fold, stream: Stream, delivery: Delivery, isSkipped: IsSkipped): void {
  const { early, stored } = stream;
  if (stream.stuck !== null || delivery.sequence <= headOf(fold, stored).sequence) return;
  if (!early.has(delivery.sequence)) early.set(delivery.sequence, delivery);
  for (let next = nextOf(fold, stream, isSkipped); next; next = nextOf(fold, stream, isSkipped)) {
    const head = headOf(fold, stored);
    const why = apply(fold, stored, next, isSkipped);
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
function apply(fold: Fold, stored: Head, delivery: Delivery, isSkipped: IsSkipped): string | null {
  const context = { isSkipped, stored: new Set<string>(), broken: new Map<string, string>() };
  try {
    deliver(fold, delivery, context);
  } catch (error) {
    if (!(error instanceof BrokenDeliveryError)) throw error;
    const { set } = headOf(fold, stored);
    // Half a change is of no use.
    if (set !== null) fold.documents.drop(set);
    return `The projections failed: ${error.cause}`;
  }
  fold.waiting.clear();
  return headOf(fold, stored).held?.reason ?? null;
}

// Numbers that an operator gave up count as applied.
function nextOf(fold: Fold, { stored, early }: Stream, isSkipped: IsSkipped): Delivery | undefined {
  let sequence = headOf(fold, stored).sequence + 1;
  while (!early.has(sequence)) {
    if (early.size === 0 || sequence >= stored.sequence) return undefined;
    if (!isSkipped(stored.id, sequence, null)) return undefined;
    sequence += 1;
  }
  return early.get(sequence);
}

// Also where what is behind them is parked; a given-up event may have come all the same, before or after.
function pastGivenUp(fold: Fold, { stored }: Stream, isSkipped: IsSkipped): void {
  const head = headOf(fold, stored);
  let { sequence } = head;
  while (sequence < stored.sequence && isSkipped(stored.id, sequence + 1, null)) sequence += 1;
  if (!isSkipped(stored.id, sequence, null)) return;
  const eventId = stored.eventId === null || sequence > head.sequence ? null : head.eventId;
  fold.heads.set(stored.id, { ...head, sequence, eventId });
}

// A removal took effect before its turn; where its number turned out to be taken, it may have done so all the same.
function noteRemoval({ stored, eventIds, perhapsRemoved }: Stream, delivery: Delivery): void {
  if (!stored.space) return;
  const { event, sequence, eventId } = delivery;
  const first = eventIds.get(sequence) ?? eventId;
  eventIds.set(sequence, first);
  if (first === eventId || event?.type !== 'space.member-removed') return;
  perhapsRemoved.add(event.data.userId);
}

// After all that was applied: a removal takes effect before its turn, and again with each try of its queue.
function withoutRemoved(fold: Fold, { stored, rest }: Stream): void {
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
