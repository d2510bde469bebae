// Folds streams anew from the log, each up to the sequence that the store has of it, without a database.
import type { Head } from '../../../projections/documents.ts';
import { withoutMember } from '../../../projections/events/space.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { type Delivery, deliveryOf } from '../delivery.ts';
import { createFold, deliver, type Fold, newHead, settleFold } from '../fold.ts';

interface Stream {
  /** The stored head: how far to fold. */
  readonly stored: Head;
  /** Deliveries that came before their turn; of two with one number the first counts. */
  readonly early: Map<number, Delivery>;
  /** Members whose removal is in the store's queue, where it took effect already (events.md). */
  readonly removed: string[];
}

/** The part of a partition to read. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface FoldedStreams {
  readonly fold: Fold;
  /** Why a stream could not be folded as far as the store has it, by id. */
  readonly stuck: ReadonlyMap<string, string>;
}

/** Folds the given streams of one partition. Its memory is that of these streams' documents. */
export async function foldStreams(
  log: EventLog,
  partition: number,
  { from, to }: Range,
  heads: readonly Head[],
  isSkipped: IsSkipped,
  signal: AbortSignal,
): Promise<FoldedStreams> {
  const fold = createFold();
  const stuck = new Map<string, string>();
  const streams = new Map<string, Stream>();
  for (const stored of heads) streams.set(stored.id, { stored, early: new Map(), removed: [] });
  for await (const records of log.scan(partition, from, to, signal)) {
    for (const record of records) {
      // A record without a key belongs to the stream that it names.
      if (record.key !== null && !streams.has(record.key)) continue;
      const delivery = deliveryOf(record);
      const stream = streams.get(delivery.subject ?? '');
      if (!stream) continue;
      if (delivery.sequence > stream.stored.sequence) noteAhead(stream, delivery);
      else inTurn(fold, stream, delivery, isSkipped, stuck);
    }
  }
  // A scan that is broken off ends early.
  signal.throwIfAborted();
  for (const stream of streams.values()) {
    pastGivenUp(fold, stream, isSkipped);
    withoutRemoved(fold, stream);
  }
  settleFold(fold);
  return { fold, stuck };
}

// What the store applied, it applied in the order of numbers; what came early had to wait.
function inTurn(
  fold: Fold,
  stream: Stream,
  delivery: Delivery,
  isSkipped: IsSkipped,
  stuck: Map<string, string>,
): void {
  const { early, stored } = stream;
  const context = { isSkipped, stored: new Set<string>(), broken: new Map<string, string>() };
  if (delivery.sequence <= headOf(fold, stored).sequence) return;
  if (!early.has(delivery.sequence)) early.set(delivery.sequence, delivery);
  for (let next = smallest(early); next; next = smallest(early)) {
    const head = headOf(fold, stored);
    deliver(fold, next, context);
    const { held } = headOf(fold, stored);
    if (held) {
      // Its turn has not come, or it is invalid although the store applied it.
      if (held.why === 'parked') stuck.set(stored.id, `sequence ${next.sequence}: ${held.reason}`);
      fold.waiting.clear();
      fold.heads.set(stored.id, head);
      return;
    }
    early.delete(next.sequence);
  }
}

function smallest(early: ReadonlyMap<number, Delivery>): Delivery | undefined {
  let least: Delivery | undefined;
  for (const delivery of early.values()) {
    if (!least || delivery.sequence < least.sequence) least = delivery;
  }
  return least;
}

// Numbers that an operator gave up count as applied where what is behind them is parked; who was given up may have
// come all the same, before or after.
function pastGivenUp(fold: Fold, { stored }: Stream, isSkipped: IsSkipped): void {
  const head = headOf(fold, stored);
  let { sequence } = head;
  while (sequence < stored.sequence && isSkipped(stored.id, sequence + 1, null)) sequence += 1;
  if (!isSkipped(stored.id, sequence, null)) return;
  fold.heads.set(stored.id, { ...head, sequence, eventId: stored.eventId });
}

function noteAhead({ stored, removed }: Stream, { event }: Delivery): void {
  if (event?.type === 'space.member-removed' && stored.held) removed.push(event.data.userId);
}

// After all that was applied: a removal takes effect before its turn, and again with each try of its queue.
function withoutRemoved(fold: Fold, { stored, removed }: Stream): void {
  const head = headOf(fold, stored);
  if (!head.space || removed.length === 0) return;
  fold.heads.set(head.id, { ...head, space: removed.reduce(withoutMember, head.space) });
}

function headOf(fold: Fold, { id, partition }: Head): Head {
  return fold.heads.get(id) ?? newHead(id, partition);
}
