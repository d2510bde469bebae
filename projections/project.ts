// The entry point of the projections: applies an event to the head of its stream and to loaded documents.
import type { DomainEvent, SpaceEvent } from '../schemas/generated/events.ts';
import { type Invalid, isInvalid } from './change.ts';
import type { Head } from './documents.ts';
import { projectBudgetEvent } from './events/budget.ts';
import type { NextEvent } from './events/context.ts';
import { projectSpaceEvent } from './events/space.ts';
import type { WorkingSet } from './working-set.ts';

/**
 * Applies the next event of a stream to the working set and returns the head after it. An event that contradicts
 * earlier ones changes nothing; the reason is returned instead.
 */
export function project(
  documents: WorkingSet,
  head: Head,
  { event, newSet }: NextEvent<DomainEvent>,
): Head | Invalid {
  const projected = isSpaceEvent(event)
    ? projectSpaceEvent(head, event)
    : projectBudgetEvent(documents, head, { event, newSet });
  if (isInvalid(projected)) return projected;
  const eventId = projected.deleted ? null : event.id;
  return { ...projected, sequence: event.sequence, eventId };
}

export function isSpaceEvent(event: DomainEvent): event is SpaceEvent {
  return event.type.startsWith('space.');
}
