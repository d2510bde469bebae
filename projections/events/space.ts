// The effects of a space's events: its name, and its members, which reach its budgets.
import type { SpaceEvent } from '../../schemas/generated/events.ts';
import { type Invalid, invalid } from '../change.ts';
import type { Head, SpaceFields } from '../documents.ts';
import { shownTime } from '../time.ts';

/** Returns the head after the event, or why it is invalid. */
export function projectSpaceEvent(head: Head, event: SpaceEvent): Head | Invalid {
  const { space } = head;
  if (event.type === 'space.created') {
    if (space) return invalid('The space is created already');
    if (head.budget) return invalid('The stream is that of a budget');
    const createdAt = shownTime(event.time);
    return { ...head, space: { name: event.data.name, members: [], createdAt } };
  }
  if (!space) return invalid(`${event.type} came before space.created`);
  const now = changed(space, event);
  if (now.members.length > MEMBERS_MAX) {
    return invalid(`Expected at most ${MEMBERS_MAX} members of a space, got one more`);
  }
  return { ...head, space: now };
}

/** A head with more of them has no room in one document. */
const MEMBERS_MAX = 100_000;

function changed(
  space: SpaceFields,
  event: Exclude<SpaceEvent, { type: 'space.created' }>,
): SpaceFields {
  switch (event.type) {
    case 'space.renamed':
      return { ...space, name: event.data.name };
    case 'space.member-added': {
      const { userId } = event.data;
      if (space.members.includes(userId)) return space;
      return { ...space, members: [...space.members, userId] };
    }
    case 'space.member-removed':
      return withoutMember(space, event.data.userId);
  }
}

export function withoutMember(space: SpaceFields, userId: string): SpaceFields {
  return { ...space, members: space.members.filter(member => member !== userId) };
}
