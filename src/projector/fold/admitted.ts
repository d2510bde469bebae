// The events of deliveries that may be applied, before anything is loaded for them. Pure.
import type { Head } from '../../../projections/documents.ts';
import type { Editable } from '../../../projections/editable-documents.ts';
import { isSpaceEvent } from '../../../projections/project.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { Addressed } from '../../store/writing/load-documents.ts';
import type { Delivery } from './delivery.ts';
import { admit } from './gate.ts';

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
