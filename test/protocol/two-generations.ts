// A model of one stream in two generations that follow the same log at different places. Operators' decisions count in
// both: each generation is a model of a queue (queue.ts), and a decision in one acts on the head in the other.
import { newHead } from '../../projections/new-head.ts';
import type { NewDecision } from '../../src/access/decisions.ts';
import { decidedHead, effectInOther } from '../../src/projector/queue/holder.ts';
import type { Model, Step } from './explore.ts';
import { queueModel } from './queue.ts';
import { STREAM } from './queue-log.ts';
import type { QueueContext, QueueState } from './queue-state.ts';

export type Pair = readonly [QueueState, QueueState];

/** What a decision does without, as it was before it was mended. */
export type Missed =
  /** It gives up what the other generation has applied. */
  | 'applied'
  /** It leaves the head of the other generation as it is. */
  | 'held'
  /** A drain makes the head of the other generation as it was. */
  | 'counted';

export interface PairContext {
  readonly generations: readonly [QueueContext, QueueContext];
  readonly without?: readonly Missed[];
}

const PLACES = [0, 1] as const;

export function twoGenerations({ generations, without = [] }: PairContext): Model<Pair> {
  const models = generations.map(queueModel) as [Model<QueueState>, Model<QueueState>];
  const wrong = (check: 'invariant' | 'quiescent') => (pair: Pair) => {
    for (const place of PLACES) {
      const what = models[place][check]?.(pair[place]) ?? null;
      if (what !== null) return `g${place + 1}: ${what}`;
    }
    return null;
  };
  return {
    init: () =>
      models[0].init().flatMap(one => models[1].init().map(other => [one, other] as const)),
    next: pair =>
      PLACES.flatMap(place => {
        const steps = [...models[place].next(pair[place])];
        return steps.map(([label, to]) => steppedTo(pair, { place, label, to, without }));
      }),
    invariant: wrong('invariant'),
    quiescent: wrong('quiescent'),
  };
}

interface Stepped {
  readonly place: 0 | 1;
  readonly label: string;
  readonly to: QueueState;
  readonly without: readonly Missed[];
}

function steppedTo(pair: Pair, { place, label, to, without }: Stepped): Step<Pair> {
  const name = label.replace(/^!?/, fault => `${fault}g${place + 1}.`);
  const other = pair[place === 0 ? 1 : 0];
  const both = (one: QueueState, beside: QueueState): Pair =>
    place === 0 ? [one, beside] : [beside, one];
  const made = to.decisions.filter(id => !other.decisions.includes(id)).map(newDecision);
  if (made.length === 0) return [name, both(to, other)];
  const effect = effectInOther(other.head, {
    decisions: made,
    since: '',
    isInWork: false,
    supersedes: null,
  });
  if (effect.kind === 'applied' && !without.includes('applied')) {
    return [`${name}-refused`, both(ended(pair[place]), other)];
  }
  const decided = { ...other, decisions: to.decisions };
  if (effect.kind !== 'held' || without.includes('held')) return [name, both(to, decided)];
  const met = other.head ?? newHead(STREAM, 0);
  const { held } = effect;
  const head = without.includes('counted') ? { ...met, held } : decidedHead(met, held);
  return [name, both(to, { ...decided, head })];
}

function newDecision(id: string): NewDecision {
  const [sequence, eventId] = id.split('/');
  return { subject: STREAM, sequence: Number(sequence), eventId: eventId || null };
}

/** The command that is about to commit fails. */
function ended(state: QueueState): QueueState {
  const operators = state.operators.map(one =>
    one.at === 'commit' ? ({ at: 'exit', want: one.want, drain: null } as const) : one,
  );
  return { ...state, operators };
}
