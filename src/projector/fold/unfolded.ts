// The deliveries of a stream that are not part of its documents: they wait in the queue, or had no effect.
import type { Head } from '../../../projections/documents.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { StoredQueueEntry } from '../../store/collections.ts';
import { digestOf } from '../../store/stored-streams.ts';
import { type Delivery, storedDelivery } from './delivery.ts';
import { queueEntryId } from './fold.ts';

export interface Unfolded {
  /** The queue entry, with a digest in place of the value. */
  readonly entry: StoredQueueEntry;
  /** Without event and value, because a queue may be long. */
  readonly delivery: Delivery;
  /** Whether the queue must hold it. It need not when an operator skipped the event. */
  readonly mustWait: boolean;
}

export interface UnfoldedDeliveries {
  /** By id of the queue entry, in the order of the log. */
  readonly entries: Map<string, Unfolded>;
  /** The delivery with the lowest sequence above the stream's. */
  first: Delivery | null;
  /** Members that are removed already, although the event waits (rules/events.md#removals-and-deletions). */
  readonly removed: string[];
  /** The first deletion above the stream's sequence: it takes effect at once. */
  deletion: Delivery | null;
}

/**
 * Notes a delivery above the stream's sequence, or one without a sequence.
 *
 * @param isFirst whether it is the first event with its sequence: another one takes no effect before its turn
 */
export function noteWaiting(
  rest: UnfoldedDeliveries,
  delivery: Delivery,
  { isSkipped, isFirst }: { readonly isSkipped: IsSkipped; readonly isFirst: boolean },
): void {
  const { subject, sequence, eventId, event } = delivery;
  const isDecided = isSkipped(subject ?? '', sequence, eventId);
  add(rest, delivery, sequence > 0 || !isDecided);
  if (sequence === 0) return;
  if (!rest.first || sequence < rest.first.sequence) rest.first = delivery;
  if (isDecided || !isFirst) return;
  if (event?.type === 'space.member-removed') rest.removed.push(event.data.userId);
  if (event?.type === 'budget.deleted') rest.deletion ??= delivery;
}

/** Notes a delivery at the stream's sequence when another event was applied with it: a conflict. */
export function noteConflict(
  { rest, stored }: { readonly rest: UnfoldedDeliveries; readonly stored: Head },
  delivery: Delivery,
  isSkipped: IsSkipped,
): void {
  const { id, sequence, eventId } = stored;
  const isConflict = eventId !== null && delivery.eventId !== eventId;
  if (delivery.sequence !== sequence || !isConflict) return;
  add(rest, delivery, !isSkipped(id, sequence, delivery.eventId));
}

function add(rest: UnfoldedDeliveries, delivery: Delivery, mustWait: boolean): void {
  const id = queueEntryId(delivery);
  // A repeated event is a duplicate.
  if (rest.entries.has(id)) return;
  const stored = storedDelivery(id, delivery);
  const entry = { ...stored, value: digestOf(stored.value) };
  rest.entries.set(id, { entry, delivery: { ...delivery, event: null, value: null }, mustWait });
}
