// A model of the shadow sets of one stream: big changes and rebuilds beside projectors that crash and take over, and an
// operator's retry. Who does what about a stream is shadow/duty.ts; how long it stays held is queue/held-after.ts.
import type { Model, Step } from './explore.ts';
import { drainSteps } from './shadow-drain.ts';
import { projectorSteps } from './shadow-projector.ts';
import { rebuildSteps } from './shadow-rebuild.ts';
import {
  BLOCKS,
  type Drain,
  heldFor,
  kindOf,
  type ShadowContext,
  type ShadowState,
  sequenceOf,
} from './shadow-state.ts';

export function shadowModel(context: ShadowContext): Model<ShadowState> {
  const { projectors = 1, rebuilds = 0 } = context;
  return {
    init: () => [
      {
        checkpoint: { epoch: 0, owner: '', next: 0 },
        head: { sequence: 1, set: 's', held: null, deleted: false },
        ...{ queue: [], shadow: null, sets: { s: { blocks: BLOCKS, asOf: 1 } }, sweeps: [] },
        ...{ isFixed: false, givenUp: [], operator: null },
        projectors: Array.from({ length: projectors }, (_, index) => {
          return { id: `p${index}`, at: 'down', epoch: 0, drain: null, runner: { at: 'idle' } };
        }),
        rebuilds: Array.from({ length: rebuilds }, () => ({ at: 'idle' }) as const),
        faults: { crash: 0, takeover: 0, kill: 0, frozen: 0, unknown: 0 },
      },
    ],
    next: state => {
      const steps: Step<ShadowState>[] = [];
      state.projectors.forEach((_, index) => {
        steps.push(...projectorSteps(context, state, index));
      });
      state.rebuilds.forEach((_, index) => {
        steps.push(...rebuildSteps(context, state, index));
      });
      return [...steps, ...operatorSteps(context, state), ...sweepSteps(state)];
    },
    invariant: state => wrongWith(context, state),
    quiescent: state => stuckIn(context, state),
  };
}

/** A retry, after which what was invalid can be applied; or missing sequences are given up. */
function operatorSteps(context: ShadowContext, state: ShadowState): Step<ShadowState>[] {
  const put = (to: ShadowState, operator: Drain | null): ShadowState => ({ ...to, operator });
  if (state.operator) {
    return drainSteps(context, state, { drain: state.operator, by: { name: 'O', put } });
  }
  const { held, sequence } = state.head;
  if (!context.hasOperator || !held) return [];
  const [first] = state.queue;
  if (held.why === 'gap' && first !== undefined) {
    const absent = sequenceOf(context, first) - sequence - 1;
    const missing = Array.from({ length: absent }, (_, index) => sequence + 1 + index);
    const head = { ...state.head, held: heldFor('change', 'decided', held.queued) };
    const to = { ...state, head, givenUp: [...state.givenUp, ...missing] };
    return [['!O.skip', put(to, { at: 'head' })]];
  }
  if (state.isFixed || held.why !== 'parked') return [];
  return [['!O.retry', put({ ...state, isFixed: true }, { at: 'head' })]];
}

function sweepSteps(state: ShadowState): Step<ShadowState>[] {
  const [set, ...sweeps] = state.sweeps;
  if (set === undefined) return [];
  const { [set]: _, ...sets } = state.sets;
  return [['sweep', { ...state, sets, sweeps }]];
}

function wrongWith(context: ShadowContext, state: ShadowState): string | null {
  const { head, queue, sets, sweeps, shadow, checkpoint } = state;
  if (state.rebuilds.some(({ at }) => at === 'misled')) return 'a rebuild stands in its own way';
  if (head.deleted) {
    const hasTraces = queue.length > 0 || head.held !== null || head.set !== null;
    return hasTraces ? 'a deleted stream has traces' : null;
  }
  const set = sets[head.set ?? ''];
  if (!set) return 'the head names a set without documents';
  if (set.blocks !== BLOCKS) return 'the head names half a set';
  if (set.asOf !== head.sequence)
    return `the set is as of ${set.asOf}, the head of ${head.sequence}`;
  if (sweeps.includes(head.set ?? '')) return 'the named set is to be swept';
  if (shadow?.set === head.set) return 'the named set is being written';
  if ((head.held?.queued ?? 0) !== queue.length) {
    return `its head says ${head.held?.queued ?? 0} wait, its queue has ${queue.length}`;
  }
  for (let at = 0; at < checkpoint.next; at += 1) {
    if (kindOf(context, at) === 'junk') continue;
    const isApplied = sequenceOf(context, at) <= head.sequence;
    if (isApplied === queue.includes(at)) return `record ${at} is lost or counts twice`;
  }
  return null;
}

function stuckIn(context: ShadowContext, state: ShadowState): string | null {
  const { head, shadow, sets, queue } = state;
  if (head.held?.why === 'change') return 'held for work that nobody does';
  if (shadow) return 'a shadow set is left';
  if (Object.keys(sets).some(id => id !== head.set)) return 'a set is left';
  const [first] = queue;
  if (head.held?.why !== 'gap' || first === undefined) return null;
  const isApplicable = sequenceOf(context, first) === head.sequence + 1;
  return isApplicable ? 'held as a gap, though its queue may go on' : null;
}
