// The entry point of the projections: applies an event to the head of its stream and to loaded documents.
import type { DomainEvent, SpaceEvent } from '../schemas/generated/events.ts';
import { type Invalid, isInvalid } from './change.ts';
import type { Head } from './documents.ts';
import { projectBudgetEvent } from './events/budget.ts';
import type { NextEvent } from './events/context.ts';
import { projectSpaceEvent } from './events/space.ts';
import type { WorkingSet } from './working-set.ts';

/** The version of the projections. Each version builds a generation of its own. */
export const PROJECTIONS_VERSION = 4;

/**
 * The versions that read old events otherwise than the version before: they knew a new type, or obeyed a new rule.
 * Copies that clients made before may then be wrong about old events, so earlier cursors of /changes are refused.
 *
 * 4: Events outside the home partition of their stream no longer count.
 */
const READ_OTHERWISE_SINCE: readonly number[] = [4];

/** Returns a number that two versions share if they read all events alike. */
export function readingOf(version: number): number {
  return READ_OTHERWISE_SINCE.filter(since => since <= version).length;
}

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
