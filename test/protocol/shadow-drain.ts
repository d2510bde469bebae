// The drain in the model of shadow sets: what it may begin and must leave alone.
import type { Held } from '../../projections/documents.ts';
import { heldAfter } from '../../src/projector/queue/held-after.ts';
import type { Step } from './explore.ts';
import {
  asOf,
  type Drain,
  expectedIn,
  heldFor,
  isSame,
  kindOf,
  type ShadowContext,
  type ShadowState,
  sequenceOf,
} from './shadow-state.ts';

export interface Drainer {
  readonly name: string;
  /** Leaves streams alone that are not held for work. */
  readonly workOnly?: true;
  /** Returns the state with this drain under way; null ends it. */
  put(state: ShadowState, drain: Drain | null): ShadowState;
}

const STEP_MAX = 2;

type Steps = Step<ShadowState>[];

export function drainSteps(
  context: ShadowContext,
  state: ShadowState,
  { drain, by: { name, workOnly, put } }: { readonly drain: Drain; readonly by: Drainer },
): Steps {
  const go = (label: string, next: Drain | null, to = state): Steps => [
    [`${name}.${label}`, put(to, next)],
  ];
  const again: Drain = { at: 'head' };
  switch (drain.at) {
    case 'head':
      return go('drain-head', { at: 'entries', loaded: state.head });
    case 'entries': {
      const { loaded } = drain;
      const isForOthers = workOnly && loaded.held?.why !== 'change';
      if (!loaded.held || isForOthers) return go('drain-nothing', null);
      const taken = state.queue.slice(0, STEP_MAX);
      return go('drain-entries', {
        at: loaded.held.why === 'change' ? 'shadow' : 'commit',
        ...{ loaded, taken },
      });
    }
    case 'shadow':
      return go('drain-shadow', state.shadow ? null : { ...drain, at: 'commit' });
    case 'commit': {
      const { loaded, taken } = drain;
      if (!isSame(state.head, loaded)) return go('drain-conflict', again);
      const [first] = taken;
      if (first === undefined) {
        return go('drain-free', null, { ...state, head: { ...loaded, held: null } });
      }
      const next = sequenceOf(context, first);
      if (kindOf(context, first) === 'big' && next === expectedIn(state, loaded.sequence, next)) {
        const owner = context.without?.includes('adoption') ? state.checkpoint.owner : '';
        return go('drain-too-much', { at: 'begin', loaded, first, owner });
      }
      const [after, isLast] = applied(context, state, taken);
      return go('drain-commit', isLast ? null : again, after);
    }
    case 'begin': {
      const { loaded, first, owner } = drain;
      if (!isSame(state.head, loaded) || state.shadow) return go('begin-conflict', again);
      const held = heldFor('change', 'too much', loaded.held?.queued ?? 0);
      const isUnmended = context.without?.includes('given-up');
      const sequence = isUnmended ? loaded.sequence : sequenceOf(context, first) - 1;
      const unwritten = { epoch: null, parts: 0, blocks: 0, isLapsed: false };
      const shadow = { kind: 'event', owner, set: `s${first}`, ...unwritten } as const;
      const sets = asOf(state, loaded.set, sequence);
      return go('begin', null, { ...state, sets, head: { ...loaded, sequence, held }, shadow });
    }
  }
}

/** Returns the state after a step, and whether nothing more can be applied. */
function applied(
  context: ShadowContext,
  state: ShadowState,
  taken: readonly number[],
): [state: ShadowState, isLast: boolean] {
  const { head } = state;
  let { sequence } = head;
  let met: Held | null = null;
  const done: number[] = [];
  for (const at of taken) {
    const next = sequenceOf(context, at);
    const kind = kindOf(context, at);
    const isInvalid = (kind === 'bad' || kind === 'junk') && !state.isFixed;
    const expected = expectedIn(state, sequence, next);
    if (kind === 'big' && next === expected) break;
    if (isInvalid) met = heldFor('parked', `by ${at}`, 0);
    else if (next > expected) met = heldFor('gap', `at ${at}`, 0);
    if (met) break;
    done.push(at);
    sequence = Math.max(sequence, next);
  }
  const queued = (head.held?.queued ?? 0) - done.length;
  const rest = { since: '', queued, firstArrived: '' };
  const held = heldAfter({ held: met, deleted: head.deleted }, rest);
  const sets = asOf(state, head.set, sequence);
  const queue = state.queue.filter(at => !done.includes(at));
  const after = { ...state, sets, queue, head: { ...head, sequence, held } };
  return [after, held === null || done.length === 0];
}
