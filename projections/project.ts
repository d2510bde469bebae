// The one entrance to the projections: an event, the head of its stream and the loaded documents, to what follows.
import type { DomainEvent, SpaceEvent } from '../schemas/generated/events.ts';
import { type Invalid, isInvalid } from './change.ts';
import type { Head } from './documents.ts';
import { projectBudgetEvent } from './events/budget.ts';
import { projectSpaceEvent } from './events/space.ts';
import type { WorkingSet } from './working-set.ts';

/** The version of the projections: another one builds a generation of its own. */
export const PROJECTIONS_VERSION = 2;

/**
 * Applies the next event of a stream to the working set, and answers the head after it. An event that
 * contradicts what came before changes nothing; the answer is the reason.
 *
 * @param newSet id of the document set, should the event begin one
 */
export function project(
  documents: WorkingSet,
  head: Head,
  event: DomainEvent,
  newSet: string,
): Head | Invalid {
  const projected = isSpaceEvent(event)
    ? projectSpaceEvent(head, event)
    : projectBudgetEvent(documents, head, event, newSet);
  if (isInvalid(projected)) return projected;
  const eventId = projected.deleted ? null : event.id;
  return { ...projected, sequence: event.sequence, eventId };
}

export function isSpaceEvent(event: DomainEvent): event is SpaceEvent {
  return event.type.startsWith('space.');
}
