// The deliveries of a stream that are not part of its documents: they wait in its queue, or had no effect.

import type { Head } from '../../../projections/documents.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { StoredWaiting } from '../../read-store/collections.ts';
import { digestOf } from '../../read-store/stored-streams.ts';
import { type Delivery, storedDelivery } from '../fold/delivery.ts';
import { waitingId } from '../fold/fold.ts';

export interface Unfolded {
  /** As the queue stores it, with a digest in place of its value. */
  readonly entry: StoredWaiting;
  /** Without event and value: a queue may be long. */
  readonly delivery: Delivery;
  /** Whether it has to be in the queue; otherwise it may, as an operator has decided about it. */
  readonly mustWait: boolean;
}

export interface Rest {
  /** By the id of the queue entry, in the order of the log. */
  readonly entries: Map<string, Unfolded>;
  /** Of those above the stream's sequence the one whose turn comes first. */
  first: Delivery | null;
  /** Members that are removed already, though the event waits (events.md). */
  readonly removed: string[];
  /** The first deletion above the stream's sequence: it takes effect at once. */
  deletion: Delivery | null;
}

export function createRest(): Rest {
  return { entries: new Map(), first: null, removed: [], deletion: null };
}

/** Notes a delivery above the stream's sequence, or one without a number. */
export function noteWaiting(rest: Rest, delivery: Delivery, isSkipped: IsSkipped): void {
  const { subject, sequence, eventId, event } = delivery;
  const isDecided = isSkipped(subject ?? '', sequence, eventId);
  add(rest, delivery, sequence > 0 || !isDecided);
  if (sequence === 0) return;
  if (!rest.first || sequence < rest.first.sequence) rest.first = delivery;
  if (event?.type === 'space.member-removed') rest.removed.push(event.data.userId);
  if (event?.type === 'budget.deleted' && !isDecided) rest.deletion ??= delivery;
}

/** Notes a delivery whose number is the stream's sequence: a conflict, where another event has that number. */
export function noteConflict(
  rest: Rest,
  { id, sequence, eventId }: Head,
  delivery: Delivery,
  isSkipped: IsSkipped,
): void {
  const isConflict = eventId !== null && delivery.eventId !== eventId;
  if (delivery.sequence !== sequence || !isConflict) return;
  add(rest, delivery, !isSkipped(id, sequence, delivery.eventId));
}

function add(rest: Rest, delivery: Delivery, mustWait: boolean): void {
  const id = waitingId(delivery);
  // The same event again is a duplicate.
  if (rest.entries.has(id)) return;
  const stored = storedDelivery(id, delivery);
  const entry = { ...stored, value: digestOf(stored.value) };
  rest.entries.set(id, { entry, delivery: { ...delivery, event: null, value: null }, mustWait });
}
