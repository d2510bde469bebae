// An operator's command in the model of a queue: `parked skip` and `parked retry`, as src/projector/operate/parked.ts has them.
import type { Head } from '../../projections/documents.ts';
import { queueEntryId } from '../../src/projector/fold/fold.ts';
import {
  decidedHead,
  decidedHold,
  decisionsOn,
  type Holder,
  holderOf,
  skipStep,
  wantedEntryOf,
} from '../../src/projector/queue/holder.ts';
import { isSameHead } from '../../src/store/heads.ts';
import type { Step } from './explore.ts';
import { drainSteps } from './queue-drain.ts';
import { decisionId, isSkippedBy, type Logged, STREAM } from './queue-log.ts';
import type { Drain, Operator, OperatorSpec, QueueContext, QueueState } from './queue-state.ts';

type Steps = Step<QueueState>[];

export function operatorSteps(context: QueueContext, state: QueueState, index: number): Steps {
  const operator = state.operators[index] as Operator;
  const spec = context.operators?.[index] as OperatorSpec;
  const name = `O${index}`;
  const put = (to: QueueState, next: Operator): QueueState => ({
    ...to,
    operators: to.operators.map((one, at) => (at === index ? next : one)),
  });
  const { want, drain } = operator;
  const { faults, head } = state;
  const steps: Steps = [];
  const go = (label: string, next: Operator, to = state) =>
    steps.push([`${label.startsWith('!') ? '!' : ''}${name}.${label}`, put(to, next)]);
  const ended: Operator = { at: 'exit', want, drain: null };
  const draining: Operator = { at: 'drain', want, drain: { at: 'head' } };
  const isRunning = operator.at !== 'idle' && operator.at !== 'exit';
  if (isRunning && faults.kill < (context.max?.kill ?? 0)) {
    const killed = { ...state, faults: { ...faults, kill: faults.kill + 1 } };
    go('!kill', spec.again ? { at: 'begin', want, drain: null } : ended, killed);
  }
  if (drain) {
    const putDrain = (to: QueueState, next: Drain | null) =>
      put(to, next ? { at: 'drain', want, drain: next } : ended);
    steps.push(...drainSteps(context, state, { drain, by: { name, put: putDrain } }));
    return steps;
  }
  switch (operator.at) {
    case 'idle': {
      if (
        !head?.held ||
        (spec.name === 'skip' && (head.held.why === 'gap') !== (spec.missing ?? false))
      )
        break;
      if (!spec.named) go(`!${spec.name}`, { at: 'begin', want: null, drain });
      else {
        const shown = idsOf(holderIn(context, state, head));
        if (shown.length > 0) go(`!${spec.name}`, { at: 'begin', want: shown, drain });
      }
      break;
    }
    case 'begin':
      if (!head?.held || (spec.name === 'skip' && head.held.why === 'change')) go('refuse', ended);
      else if (spec.name === 'retry') go('retry', draining);
      else go('read-head', { at: 'begin-entry', head, want, drain });
      break;
    case 'begin-entry': {
      const begun = holderIn(context, state, operator.head);
      const ids = idsOf(begun);
      const isOther =
        spec.named && !context.without?.includes('named-event') && String(want) !== String(ids);
      const isOfKind =
        begun.kind === 'nothing' || (begun.kind === 'missing') === (spec.missing ?? false);
      if (isOther || !isOfKind) go('refuse', ended);
      else go('begin', { at: 'decide', begun, want: want ?? ids, drain });
      break;
    }
    case 'decide':
      go('load-head', { ...operator, at: 'decide-entry', head });
      break;
    case 'decide-entry': {
      const found = operator.head
        ? holderIn(context, state, operator.head)
        : ({ kind: 'nothing' } as const);
      const isSkipped = isSkippedBy(state.decisions);
      const target = context.without?.includes('same-target') ? found : operator.begun;
      const next = skipStep(STREAM, target, { holder: found, isSkipped });
      if (next === 'refuse') go('refuse', ended);
      else if (next === 'drain' || !operator.head) go('drain', draining);
      else
        go('decide', { ...operator, at: 'commit', head: operator.head, decisions: idsOf(target) });
      break;
    }
    case 'commit': {
      const again: Operator = { at: 'decide', begun: operator.begun, want, drain };
      if (!isSameHead(head, operator.head)) {
        go('conflict', again);
        break;
      }
      const stored = decided(context, state, operator);
      go('commit', draining, stored);
      if (faults.unknown < (context.max?.unknown ?? 0)) {
        const unknown = { ...stored, faults: { ...faults, unknown: faults.unknown + 1 } };
        go('!commit-unknown', again, unknown);
      }
      break;
    }
    default:
      break;
  }
  return steps;
}

function idsOf(holder: Holder): string[] {
  return decisionsOn(STREAM, holder).map(({ sequence, eventId }) => decisionId(sequence, eventId));
}

function holderIn({ log, without = [] }: QueueContext, { queue }: QueueState, head: Head): Holder {
  const waiting = queue.map(offset => log[offset] as Logged);
  const wanted = wantedEntryOf(head);
  const isWanted = (one: Logged) =>
    wanted !== null &&
    ('id' in wanted ? queueEntryId(one) === wanted.id : one.sequence > wanted.above);
  const instead = without.includes('holder-by-entry') ? waiting[0] : undefined;
  return holderOf(head, waiting.find(isWanted) ?? instead ?? null);
}

function decided(
  { without = [] }: QueueContext,
  state: QueueState,
  { want, begun, head, decisions }: Extract<Operator, { at: 'commit' }>,
): QueueState {
  const alien = decisions.filter(id => !want?.includes(id));
  const { held } = head;
  const parked = held && { ...held, reason: `${held.reason.replace('; decided', '')}; decided` };
  const now = without.includes('decided-hold')
    ? parked
    : held && decidedHold(held, decisionsOn(STREAM, begun));
  return {
    ...state,
    head: decidedHead(head, now),
    decisions: [...new Set([...state.decisions, ...decisions])].sort(),
    alien: alien.length > 0 ? alien.join(' ') : state.alien,
  };
}
