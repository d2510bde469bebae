// A model of one held stream: projectors that apply chunks and drain its queue, takeovers, and operators that retry and
// skip in processes of their own. What an event does is the product's fold; what a skip decides is queue/holder.ts.
import { isDeepStrictEqual } from 'node:util';
import type { Head } from '../../projections/documents.ts';
import { queueEntryId } from '../../src/projector/fold/fold.ts';
import type { Model, Step } from './explore.ts';
import { decisionId, isSkippedBy, type Logged } from './queue-log.ts';
import { operatorSteps } from './queue-operator.ts';
import { projectorSteps } from './queue-projector.ts';
import type { Drain, QueueContext, QueueState } from './queue-state.ts';

/** What may hold the stream, and waits, with a sequence that is applied or with none. */
const HOLDING: ReadonlySet<Logged['kind']> = new Set(['noise', 'other']);

export function queueModel(context: QueueContext): Model<QueueState> {
  const { projectors = 1, operators = [] } = context;
  const idle: Drain | null = null;
  return {
    init: () => [
      {
        checkpoint: { epoch: 0, next: 0 },
        ...{ head: null, queue: [], decisions: [], alien: null },
        projectors: Array.from({ length: projectors }, () => ({ at: 'down' }) as const),
        operators: operators.map(() => ({ at: 'idle', want: null, drain: idle })),
        faults: { crash: 0, takeover: 0, unknown: 0, kill: 0 },
      },
    ],
    next: state => {
      const steps: Step<QueueState>[] = [];
      state.projectors.forEach((_, index) => {
        steps.push(...projectorSteps(context, state, index));
      });
      state.operators.forEach((_, index) => {
        steps.push(...operatorSteps(context, state, index));
      });
      return steps;
    },
    invariant: state => wrongWith(context, state),
    quiescent: state => stuckIn(context, state),
  };
}

function wrongWith({ log }: QueueContext, state: QueueState): string | null {
  const { head, queue, checkpoint, alien, decisions } = state;
  if (alien !== null) return `a command skipped ${alien}, which it was not called for`;
  if (!head) return checkpoint.next > 0 ? 'no head' : null;
  if (head.deleted) {
    const hasTraces = head.set !== null || queue.length > 0 || head.held !== null;
    if (hasTraces) return 'a deleted stream has traces';
    const isNoDeletion = ({ kind, sequence }: Logged) =>
      kind !== 'deleted' || decisions.includes(decisionId(sequence, null));
    return log.every(isNoDeletion) ? 'a deletion counts that was given up' : null;
  }
  if ((head.held?.queued ?? 0) !== queue.length) {
    return `its head says ${head.held?.queued ?? 0} wait, its queue has ${queue.length}`;
  }
  for (const { offset, sequence, eventId, kind } of log.slice(0, checkpoint.next)) {
    const waits = queue.some(
      other => queueEntryId(log[other] as Logged) === queueEntryId(log[offset] as Logged),
    );
    if (sequence > head.sequence && !waits) return `record ${offset} is lost`;
    // One that was given up counts before its turn, and has no effect then.
    const mayWait = HOLDING.has(kind) || decisions.includes(decisionId(sequence, null));
    if (sequence <= head.sequence && queue.includes(offset) && !mayWait)
      return `record ${offset} counts and waits`;
    const isDecided = isSkippedBy(decisions)('', sequence, eventId);
    if (kind === 'deleted' && !isDecided && sequence > head.sequence) return 'a deletion waits';
  }
  return differenceOf({ log }, state, head);
}

/** Compares the documents with the events up to the head's sequence, applied in order. */
function differenceOf(
  { log }: QueueContext,
  { queue, decisions, checkpoint }: QueueState,
  head: Head,
): string | null {
  let name: string | null = null;
  let members: string[] = [];
  for (let sequence = 1; sequence <= head.sequence; sequence += 1) {
    if (decisions.includes(decisionId(sequence, null))) continue;
    const logged = log.find(one => one.sequence === sequence && one.offset < checkpoint.next);
    if (!logged) return 'a sequence counts that never came';
    if (decisions.includes(decisionId(sequence, logged.eventId))) continue;
    if (logged.isBad) return `an invalid event counts: ${sequence}`;
    if (logged.kind === 'added') members = ['u'];
    else if (logged.kind === 'removed') members = [];
    else name = nameIn(logged);
  }
  // A removal takes effect when it arrives.
  if (queue.some(offset => log[offset]?.kind === 'removed')) members = [];
  const got = head.space ? { name: head.space.name, members: head.space.members } : null;
  if (got && !isDeepStrictEqual(got, { name, members })) {
    return `the space is ${JSON.stringify(got)}, expected ${JSON.stringify({ name, members })}`;
  }
  return head.budget && head.budget.name !== name ? `the budget is ${head.budget.name}` : null;
}

function nameIn({ event }: Logged): string | null {
  return event && 'name' in event.data ? event.data.name : null;
}

function stuckIn(
  { log, reaches, operators = [] }: QueueContext,
  { head, queue, checkpoint, decisions }: QueueState,
) {
  if (checkpoint.next < log.length) return 'the log is not read to its end';
  // A command that finds nothing to skip decides nothing.
  const isDecided = operators.length === 0 || decisions.length > 0;
  if (reaches !== undefined && isDecided && head?.sequence !== reaches) {
    return `it is at sequence ${head?.sequence}, and not at ${reaches}`;
  }
  if (!head?.held) return null;
  if (head.held.why === 'change') return 'held for work that nobody does';
  if (queue.some(offset => mayHold(log[offset] as Logged, decisions))) return null;
  const first = queue
    .map(offset => log[offset] as Logged)
    .find(one => one.sequence > head.sequence);
  if (!first) return null;
  let next = head.sequence + 1;
  while (decisions.includes(decisionId(next, null)) && next < first.sequence) next += 1;
  const isSkipped = decisions.includes(decisionId(next, first.eventId));
  const isApplicable = first.sequence === next && (!first.isBad || isSkipped);
  return isApplicable ? `held as ${head.held.why}, though its queue may go on` : null;
}

function mayHold({ kind, sequence, eventId }: Logged, decisions: readonly string[]): boolean {
  const isSkipped = decisions.includes(decisionId(sequence, eventId));
  return HOLDING.has(kind) && !isSkipped;
}
