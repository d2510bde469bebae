// The events that bring a budget up to date. Each is applied in memory as it is made, so that what follows sees its
// effect, and an event that a projector would park is never appended.
import { isInvalid } from '../../../projections/change.ts';
import type { Head } from '../../../projections/documents.ts';
import { project } from '../../../projections/project.ts';
import type { WorkingSet } from '../../../projections/working-set.ts';
import { UserError } from '../../process/errors.ts';
import { createEventBuilder } from '../../process/event-builder.ts';
import type { AddEvent, ImportedEvent } from '../import-events.ts';

/** A budget of the read model, with all documents of its set in memory. */
export interface CurrentBudget {
  readonly head: Head;
  readonly documents: WorkingSet;
}

export interface ChangeStamp {
  /** CloudEvents `source` of every event. */
  readonly source: string;
  /** `time` of every event. */
  readonly time: string;
  /** Differs between imports: two that run at the same time must not give their events the same ids. */
  readonly run: string;
}

export interface Changes {
  readonly documents: WorkingSet;
  /** Id of the budget's document set. */
  readonly set: string;
  readonly events: readonly ImportedEvent[];
  /** @throws UserError when the event would be invalid */
  readonly add: AddEvent;
}

/** @throws UserError when the budget is deleted, or its stream is held */
export function createChanges({ head, documents }: CurrentBudget, stamp: ChangeStamp): Changes {
  const { id, set, held } = head;
  if (set === null) throw new UserError(`Expected a budget, got ${id}, which is none`);
  if (held !== null) {
    throw new UserError(`Budget ${id} is held (${held.reason}): see budgeting parked list`);
  }
  const { source, time, run } = stamp;
  const build = createEventBuilder({ subject: id, source, first: head.sequence + 1, run });
  const events: ImportedEvent[] = [];
  let now = head;
  const add: AddEvent = (origin, type, data) => {
    const event = build(type, data, time);
    const projected = project(documents, now, { event, newSet: set });
    if (isInvalid(projected)) {
      throw new UserError(`${origin}: ${projected.invalid}\nNothing was appended`);
    }
    now = projected;
    events.push({ event, origin });
  };
  return { documents, set, events, add };
}
