// A projector in the model of shadow sets: it claims, applies the log and holds the stream for big changes.
import type { Held } from '../../projections/documents.ts';
import type { Step } from './explore.ts';
import { drainSteps } from './shadow-drain.ts';
import { runnerSteps } from './shadow-runner.ts';
import {
  asOf,
  type Drain,
  expectedIn,
  heldFor,
  kindOf,
  type Projector,
  type ShadowContext,
  type ShadowState,
  sequenceOf,
  swept,
} from './shadow-state.ts';

type Steps = Step<ShadowState>[];

export function projectorSteps(context: ShadowContext, state: ShadowState, index: number): Steps {
  const projector = state.projectors[index] as Projector;
  const name = `P${index}`;
  const put = (to: ShadowState, next: Projector): ShadowState => ({
    ...to,
    projectors: to.projectors.map((one, at) => (at === index ? next : one)),
  });
  const { max = {}, log, without = [] } = context;
  const { faults, checkpoint } = state;
  const isOld = without.includes('adoption');
  if (projector.at === 'down') {
    const isOwned = ({ at, epoch }: Projector) => at !== 'down' && epoch === checkpoint.epoch;
    const isTakeover = state.projectors.some(isOwned);
    if (isTakeover && faults.takeover >= (max.takeover ?? 0)) return [];
    const epoch = checkpoint.epoch + 1;
    const to = {
      ...state,
      checkpoint: { ...checkpoint, epoch, owner: projector.id },
      faults: { ...faults, takeover: faults.takeover + Number(isTakeover) },
    };
    return [
      [`${isTakeover ? '!' : ''}${name}.claim`, put(to, { ...projector, at: 'claimed', epoch })],
    ];
  }
  const steps: Steps = [];
  const go = (label: string, next: Projector, to = state) =>
    steps.push([`${name}.${label}`, put(to, next)]);
  if (faults.crash < (max.crash ?? 0)) {
    // It comes back as another process.
    const again = { ...projector, id: `${projector.id}'`, at: 'down', drain: null } as const;
    const to = { ...state, faults: { ...faults, crash: faults.crash + 1 } };
    steps.push([`!${name}.crash`, put(to, { ...again, runner: { at: 'idle' } })]);
  }
  steps.push(
    ...runnerSteps(context, state, {
      projector,
      name: `R${index}`,
      put: (to, runner) => put(to, { ...(to.projectors[index] as Projector), runner }),
    }),
  );
  if (projector.drain) {
    const putDrain = (to: ShadowState, drain: Drain | null) => put(to, { ...projector, drain });
    steps.push(
      ...drainSteps(context, state, { drain: projector.drain, by: { name, put: putDrain } }),
    );
    return steps;
  }
  switch (projector.at) {
    case 'claimed': {
      const why = state.head.held?.why;
      const isDue = why === 'gap' || (isOld && why === 'change');
      const drain: Drain | null = isDue ? { at: 'head' } : null;
      go('resume', { ...projector, at: isOld ? 'take' : 'run', drain });
      break;
    }
    case 'take': {
      const shadow = state.shadow && { ...state.shadow, owner: projector.id };
      go('take-over', { ...projector, at: 'run' }, { ...state, shadow });
      break;
    }
    case 'run':
      if (projector.epoch === checkpoint.epoch && checkpoint.next < log.length) {
        const { owner } = checkpoint;
        const to = applied(context, state, owner);
        const drain: Drain | null = to.head.held?.why === 'gap' ? { at: 'head' } : null;
        go('chunk', { ...projector, drain }, to);
      }
      break;
    default:
      break;
  }
  return steps;
}

/** Returns the state after the next record of the log. */
function applied(context: ShadowContext, state: ShadowState, owner: string): ShadowState {
  const at = state.checkpoint.next;
  const { head } = state;
  const to = { ...state, checkpoint: { ...state.checkpoint, next: at + 1 } };
  const sequence = sequenceOf(context, at);
  const kind = kindOf(context, at);
  const isDuplicate = kind !== 'junk' && sequence <= head.sequence;
  if (head.deleted || isDuplicate) return to;
  if (kind === 'deleted') {
    const deleted = { sequence, set: null, held: null, deleted: true };
    return { ...to, head: deleted, queue: [], sweeps: swept(state, head.set) };
  }
  const inTurn = (one: number) => sequenceOf(context, one);
  const queue = [...state.queue, at].sort((a, b) => inTurn(a) - inTurn(b));
  const waits = (held: Held) => ({ ...to, queue, head: { ...head, held } });
  if (head.held) return waits({ ...head.held, queued: head.held.queued + 1 });
  if (sequence > expectedIn(state, head.sequence, sequence)) return waits(heldFor('gap', '', 1));
  if (kind === 'bad' || kind === 'junk') return waits(heldFor('parked', `by ${at}`, 1));
  if (kind === 'big') {
    const unwritten = { epoch: null, parts: 0, blocks: 0, isLapsed: false };
    const shadow = { kind: 'event', owner, set: `s${at}`, ...unwritten } as const;
    return { ...waits(heldFor('change', 'too much', 1)), shadow };
  }
  return { ...to, sets: asOf(state, head.set, sequence), head: { ...head, sequence } };
}
