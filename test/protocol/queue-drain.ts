// The drain of a queue in the model: each step is a read, a fold in memory or a transaction of queue/drain.ts.
import type { Head } from '../../projections/documents.ts';
import { withoutMember } from '../../projections/events/space.ts';
import { queueEntryId } from '../../src/projector/fold/fold.ts';
import { admit } from '../../src/projector/fold/gate.ts';
import { heldAfter } from '../../src/projector/queue/held-after.ts';
import { turnsOf } from '../../src/projector/queue/turns-of.ts';
import { isSameHead } from '../../src/store/heads.ts';
import type { Step } from './explore.ts';
import { foldOf, isSkippedBy, type Logged, STREAM } from './queue-log.ts';
import type { Drain, Folded, QueueContext, QueueState } from './queue-state.ts';

/** The process that drains. */
export interface Drainer {
  readonly name: string;
  /** Returns the state with this drain under way; null ends it. */
  put(state: QueueState, drain: Drain | null): QueueState;
}

type Steps = Step<QueueState>[];

export function drainSteps(
  context: QueueContext,
  state: QueueState,
  { drain, by: { name, put } }: { readonly drain: Drain; readonly by: Drainer },
): Steps {
  const { log, stepMax = 2 } = context;
  const go = (label: string, next: Drain | null): Steps => [[`${name}.${label}`, put(state, next)]];
  switch (drain.at) {
    case 'look':
      if (state.head?.held?.why !== 'gap') return go('look', null);
      return go('look', { at: 'look-entry', loaded: state.head });
    case 'look-entry':
      return go('look-entry', staysGap(context, state, drain.loaded) ? null : { at: 'head' });
    case 'head':
      return go('load-head', { at: 'entries', loaded: state.head });
    case 'entries': {
      const { loaded } = drain;
      if (!loaded?.held) return go('not-held', null);
      const taken = turnsIn(context, state, loaded).slice(0, stepMax);
      if (taken.length > 0) return go('entries', { at: 'fold', loaded, taken });
      const now = { ...loaded, held: null };
      return go('no-entries', { at: 'commit', before: loaded, now, done: [], isErased: false });
    }
    case 'fold': {
      const { head, decisions } = state;
      const deliveries = drain.taken.map(offset => log[offset] as Logged);
      const open = head && { ...head, held: null };
      const fold = foldOf({ head: open, deliveries, decisions, queue: [], isQueue: true });
      const after = fold.heads.get(STREAM);
      if (!after || !head?.held || !isSameHead(drain.loaded, head)) {
        return go('stale', { at: 'head' });
      }
      const done = drain.taken.filter(
        offset => !fold.queued.has(queueEntryId(log[offset] as Logged)),
      );
      const isErased = fold.erased.size > 0;
      return go('fold', { at: 'rest', before: head, after, done, isErased });
    }
    case 'rest':
      return go('rest', restOf(context, state, drain));
    case 'commit': {
      if (!isSameHead(state.head, drain.before)) return go('conflict', { at: 'head' });
      const stored = committed(state, drain);
      const isLast = drain.now.held === null || drain.done.length === 0;
      const steps: Steps = [[`${name}.commit`, put(stored, isLast ? null : { at: 'head' })]];
      if (state.faults.unknown < (context.max?.unknown ?? 0)) {
        const faults = { ...state.faults, unknown: state.faults.unknown + 1 };
        steps.push([`!${name}.commit-unknown`, put({ ...stored, faults }, { at: 'head' })]);
      }
      return steps;
    }
  }
}

/** As queue/entries.ts, but for the cut: the whole queue is known. */
function turnsIn({ log, without = [] }: QueueContext, state: QueueState, head: Head): number[] {
  if (without.includes('arrival')) return [...state.queue];
  const entries = state.queue.map(offset => ({ id: '', delivery: log[offset] as Logged }));
  const isSkipped = isSkippedBy(state.decisions);
  const turns = turnsOf(entries, {
    head,
    isSkipped,
    isCut: false,
    knownTo: Number.POSITIVE_INFINITY,
  });
  return turns.map(({ delivery }) => delivery.offset);
}

/** As drainGap: most events that join the queue do not fill the gap. */
function staysGap({ log }: QueueContext, { queue, decisions }: QueueState, head: Head): boolean {
  const first = log[queue[0] ?? -1];
  if (!first) return false;
  const admission = admit({ ...head, held: null }, first, isSkippedBy(decisions));
  return admission.kind === 'wait' && admission.begins?.why === 'gap';
}

/** Returns the next step: nothing when the drain changes nothing. */
function restOf(
  { log, without = [] }: QueueContext,
  { queue }: QueueState,
  { before, after, done, isErased }: Folded,
): Drain | null {
  const queued = (before.held?.queued ?? 0) - done.length;
  const above = queue.map(offset => log[offset] as Logged).filter(isAbove(after));
  const firstArrived = [...above].sort((a, b) => a.offset - b.offset)[0]?.time ?? null;
  const since = before.held?.since ?? '';
  const isMidway = queued > 0 && !after.deleted && after.held?.why !== 'gap';
  const held =
    without.includes('work-hold') && isMidway && before.held
      ? { ...(after.held ?? before.held), queued }
      : heldAfter(after, { since, queued, firstArrived });
  if (done.length === 0 && JSON.stringify(held) === JSON.stringify(before.held)) return null;
  let { space } = after;
  for (const { kind } of held ? above : []) {
    if (kind === 'removed' && space) space = withoutMember(space, 'u');
  }
  return { at: 'commit', before, now: { ...after, held, space }, done, isErased };
}

function isAbove({ sequence }: Head) {
  return (logged: Logged) => logged.sequence > sequence;
}

function committed(
  state: QueueState,
  { now, done, isErased }: Extract<Drain, { at: 'commit' }>,
): QueueState {
  const queue = isErased ? [] : state.queue.filter(offset => !done.includes(offset));
  return { ...state, head: now, queue };
}
