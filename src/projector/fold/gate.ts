// The gate of a stream: decides whether a delivery is applied, dropped or queued (rules/events.md#sequence). Pure.
import type { Head, Held } from '../../../projections/documents.ts';
import type { Editable } from '../../../projections/editable-documents.ts';
import { isSpaceEvent } from '../../../projections/project.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { Addressed } from '../../store/writing/load-documents.ts';
import type { Delivery } from './delivery.ts';

export type Admission =
  | { readonly kind: 'apply' }
  /** The sequence counts, the event has no effect: its type is unknown, or an operator skipped it. */
  | { readonly kind: 'pass'; readonly because: 'unknown' | 'decided' }
  /** It was applied before, its budget is deleted, or an operator skipped it. */
  | { readonly kind: 'drop'; readonly because: 'duplicate' | 'deleted' | 'decided' }
  /** It joins the queue. `begins` is the reason to hold the stream, null when the stream is held already. */
  | { readonly kind: 'wait'; readonly begins: Pick<Held, 'why' | 'reason'> | null };

export function admit(head: Head, delivery: Delivery, isSkipped: IsSkipped): Admission {
  const { subject, sequence, eventId, problem } = delivery;
  if (head.deleted) return { kind: 'drop', because: 'deleted' };
  const decided = isSkipped(subject ?? '', sequence, eventId);
  if (sequence === 0) {
    return decided ? { kind: 'drop', because: 'decided' } : waits(head, 'parked', problem);
  }
  if (sequence <= head.sequence) {
    const same = sequence < head.sequence || eventId === head.eventId || head.eventId === null;
    if (same) return { kind: 'drop', because: 'duplicate' };
    if (decided) return { kind: 'drop', because: 'decided' };
    const reason = `Sequence ${sequence} was applied already, as event ${head.eventId}`;
    return waits(head, 'parked', reason);
  }
  if (head.held) return { kind: 'wait', begins: null };
  const expected = nextExpected(head, sequence, isSkipped);
  if (sequence > expected) {
    return waits(head, 'gap', `Expected sequence ${expected}, got ${sequence}`);
  }
  if (decided) return { kind: 'pass', because: 'decided' };
  if (problem !== null) return waits(head, 'parked', problem);
  return delivery.event ? { kind: 'apply' } : { kind: 'pass', because: 'unknown' };
}

/** Returns the sequence after those of a head, up to that of an event. One that an operator gave up counts as applied. */
export function nextExpected(
  head: Pick<Head, 'id' | 'sequence'>,
  sequence: number,
  isSkipped: IsSkipped,
): number {
  let expected = head.sequence + 1;
  while (expected < sequence && isSkipped(head.id, expected, null)) expected += 1;
  return expected;
}

function waits(head: Head, why: Held['why'], reason: string | null): Admission {
  const begins = head.held ? null : { why, reason: reason ?? 'No valid event' };
  return { kind: 'wait', begins };
}

/** An event of a delivery that may be applied, before anything is loaded for it. */
export interface Admitted extends Addressed {
  /** Its place among the deliveries. */
  readonly index: number;
}

/** Returns the events that may be applied: none behind a gap, however much it would load. */
export function admitted(
  heads: ReadonlyMap<string, Head>,
  deliveries: readonly Delivery[],
  isSkipped: IsSkipped,
): Admitted[] {
  const events: Admitted[] = [];
  const reached = new Map<string, Editable<Head>>();
  for (const [subject, head] of heads) reached.set(subject, { ...head });
  for (const [index, delivery] of deliveries.entries()) {
    const { event, subject, sequence, eventId } = delivery;
    const head = reached.get(subject ?? '');
    if (!head?.set || head.held) continue;
    const admission = admit(head, delivery, isSkipped);
    if (admission.kind === 'apply' && event && !isSpaceEvent(event)) {
      events.push({ set: head.set, event, index });
    }
    if (admission.kind === 'wait') {
      head.held = HELD_FROM_HERE;
    } else if (admission.kind !== 'drop') {
      head.sequence = sequence;
      head.eventId = eventId;
    }
  }
  return events;
}

/** Stands for any reason to hold a stream. */
const HELD_FROM_HERE: Head['held'] = { since: '', why: 'gap', reason: '', queued: 0 };
