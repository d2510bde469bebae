// A projector in the model of a queue: claims, folds and commits chunks, drains gaps and adopts queues.
import { queueEntryId } from '../../src/projector/fold/fold.ts';
import { dutyOf } from '../../src/projector/shadow/duty.ts';
import { isSameHead } from '../../src/store/heads.ts';
import type { Step } from './explore.ts';
import { drainSteps } from './queue-drain.ts';
import { foldOf, type Logged, STREAM } from './queue-log.ts';
import type { Drain, Projector, QueueContext, QueueState } from './queue-state.ts';

type Steps = Step<QueueState>[];

export function projectorSteps(context: QueueContext, state: QueueState, index: number): Steps {
  const projector = state.projectors[index] as Projector;
  const name = `P${index}`;
  const put = (to: QueueState, next: Projector): QueueState => ({
    ...to,
    projectors: to.projectors.map((one, at) => (at === index ? next : one)),
  });
  const { max = {}, log, chunkMax = 2 } = context;
  const { faults, checkpoint } = state;
  if (projector.at === 'down') {
    const isTakeover = state.projectors.some(({ at }) => at !== 'down');
    if (isTakeover && faults.takeover >= (max.takeover ?? 0)) return [];
    const epoch = checkpoint.epoch + 1;
    const claim = { epoch, next: checkpoint.next };
    const after = {
      ...state,
      checkpoint: { ...checkpoint, epoch },
      faults: { ...faults, takeover: faults.takeover + Number(isTakeover) },
    };
    return [[`${isTakeover ? '!' : ''}${name}.claim`, put(after, { at: 'claimed', claim })]];
  }
  const { claim } = projector;
  const steps: Steps = [];
  const go = (label: string, next: Projector) => steps.push([`${name}.${label}`, put(state, next)]);
  if (faults.crash < (max.crash ?? 0)) {
    const after = { ...state, faults: { ...faults, crash: faults.crash + 1 } };
    steps.push([`!${name}.crash`, put(after, { at: 'down' })]);
  }
  const drain = (label: string, next: Drain) => go(label, { at: 'drain', drain: next, claim });
  switch (projector.at) {
    case 'claimed':
      if (state.head?.held?.why === 'gap') drain('resume-held', { at: 'head' });
      else go('resume', { at: 'run', claim });
      break;
    case 'drain': {
      const putDrain = (to: QueueState, next: Drain | null) =>
        put(to, next ? { at: 'drain', drain: next, claim } : { at: 'run', claim });
      steps.push(
        ...drainSteps(context, state, { drain: projector.drain, by: { name, put: putDrain } }),
      );
      break;
    }
    case 'run': {
      const isHeldForWork = state.head?.held?.why === 'change' && dutyOf(null) === 'drain';
      if (isHeldForWork && !context.without?.includes('adoption')) drain('adopt', { at: 'head' });
      for (let count = 1; count <= chunkMax && claim.next + count <= log.length; count += 1) {
        const decisions = context.without?.includes('heads-first') ? state.decisions : null;
        go(`chunk${count}`, { at: 'load', count, decisions, claim });
      }
      break;
    }
    case 'load':
      go('load-head', { ...projector, at: 'fold', head: state.head });
      break;
    case 'fold':
      go('fold', folded(log, state, projector));
      break;
    default:
      steps.push(...commitSteps(context, state, { projector, name, put }));
      break;
  }
  return steps;
}

function folded(
  log: readonly Logged[],
  state: QueueState,
  { count, decisions, head, claim }: Extract<Projector, { at: 'fold' }>,
): Projector {
  const chunk = log.slice(claim.next, claim.next + count);
  const queue = state.queue.map(offset => log[offset] as Logged);
  const given = { decisions: decisions ?? state.decisions, queue };
  const fold = foldOf({ head, deliveries: chunk, ...given });
  const after = fold.heads.get(STREAM) ?? null;
  // Of equal records of one chunk the first waits.
  const ids = chunk.map(queueEntryId);
  const added = chunk.filter(
    (one, at) => fold.queued.has(queueEntryId(one)) && ids.indexOf(queueEntryId(one)) === at,
  );
  return {
    at: 'commit',
    claim,
    count,
    loaded: head,
    now: after === head ? null : after,
    added: added.map(({ offset }) => offset),
    isErased: fold.erased.size > 0,
    isGap: fold.queued.size > 0 && after?.held?.why === 'gap',
  };
}

interface Committing {
  readonly projector: Extract<Projector, { at: 'commit' }>;
  readonly name: string;
  put(state: QueueState, next: Projector): QueueState;
}

function commitSteps({ log, max = {} }: QueueContext, state: QueueState, by: Committing): Steps {
  const { projector, name, put } = by;
  const { claim, count, loaded, now, added, isErased, isGap } = projector;
  const { checkpoint, head, faults } = state;
  const next = claim.next + count;
  const later = { ...claim, next };
  const done: Projector = isGap
    ? { at: 'drain', drain: { at: 'look' }, claim: later }
    : { at: 'run', claim: later };
  if (checkpoint.epoch !== claim.epoch || checkpoint.next !== claim.next) {
    const isStored = checkpoint.epoch === claim.epoch && checkpoint.next === next;
    return [[`${name}.fenced`, put(state, isStored ? done : { at: 'down' })]];
  }
  const again: Projector = { at: 'run', claim };
  const isDouble = added.some(offset => state.queue.includes(offset)) && !isErased;
  if ((now && !isSameHead(head, loaded)) || isDouble) return [[`${name}.stale`, put(state, again)]];
  const queue = isErased ? [] : [...state.queue, ...added];
  const order = (one: number) => (log[one]?.sequence ?? 0) * log.length + one;
  const stored: QueueState = {
    ...state,
    checkpoint: { ...checkpoint, next },
    head: now ?? head,
    queue: queue.sort((a, b) => order(a) - order(b)),
  };
  const steps: Steps = [[`${name}.commit`, put(stored, done)]];
  if (faults.unknown < (max.unknown ?? 0)) {
    const failed = { ...state, faults: { ...faults, unknown: faults.unknown + 1 } };
    steps.push([`!${name}.commit-failed`, put(failed, again)]);
  }
  return steps;
}
