// Applies the events of a new budget in memory, so that an event that a projector would park is never appended.
import { isInvalid } from '../../projections/change.ts';
import type { Head } from '../../projections/documents.ts';
import { newHead } from '../../projections/new-head.ts';
import { project } from '../../projections/project.ts';
import { createWorkingSet } from '../../projections/working-set.ts';
import type { ImportedEvent } from './import-events.ts';
import { createImportProblems } from './import-problems.ts';

/**
 * @param events begin with the first event of each of their streams
 * @throws UserError that lists each event that contradicts earlier ones, with its place in the file
 */
export function checkApplied(events: readonly ImportedEvent[]): void {
  const documents = createWorkingSet();
  const heads = new Map<string, Head>();
  const problems = createImportProblems();
  for (const { event, origin } of events) {
    const head = heads.get(event.subject) ?? newHead(event.subject, 0);
    const after = project(documents, head, { event, newSet: event.subject });
    if (isInvalid(after)) problems.add(origin, after.invalid);
    else heads.set(event.subject, after);
  }
  problems.throwIfAny();
}
