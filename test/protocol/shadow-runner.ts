// The runner of a projector in the model of shadow sets: it looks after the streams of its partition.

import { beingApplied } from '../../src/projector/queue/held-after.ts';
import { dutyOf, mayAdopt } from '../../src/projector/shadow/duty.ts';
import type { Step } from './explore.ts';
import { drainSteps } from './shadow-drain.ts';
import {
  BLOCKS,
  type Change,
  type Drain,
  type Head,
  heldFor,
  isSame,
  kindOf,
  PARTS,
  type Projector,
  type Runner,
  type Shadow,
  type ShadowContext,
  type ShadowState,
  sequenceOf,
  swept,
} from './shadow-state.ts';

type Steps = Step<ShadowState>[];

export interface RunnerOf {
  readonly projector: Projector;
  readonly name: string;
  put(state: ShadowState, runner: Runner): ShadowState;
}

const DRAIN: Drain = { at: 'head' };

export function runnerSteps(context: ShadowContext, state: ShadowState, of: RunnerOf): Steps {
  const { projector, name, put } = of;
  const { id, runner } = projector;
  const go = (label: string, next: Runner, to = state): Steps => [
    [`${name}.${label}`, put(to, next)],
  ];
  const again: Runner = { at: 'read-shadow' };
  const drain = (goesOn: boolean): Runner => ({ at: 'drain', drain: DRAIN, goesOn });
  switch (runner.at) {
    case 'idle':
      return inspect(context, state, of);
    case 'end': {
      const { from } = runner;
      const isDue = isSame(state.shadow, from) && state.shadow?.isLapsed;
      if (!isDue) return go('end-conflict', { at: 'idle' });
      const ended = { ...state, shadow: null, sweeps: swept(state, from.set) };
      return go('end-rebuild', drain(false), ended);
    }
    case 'drain': {
      const putDrain = (to: ShadowState, next: Drain | null) => {
        if (next) return put(to, { ...runner, drain: next });
        const isNext = runner.goesOn && to.head.held?.why === 'change';
        return put(to, isNext ? again : { at: 'idle' });
      };
      const by = { name, workOnly: true, put: putDrain } as const;
      return drainSteps(context, state, { drain: runner.drain, by });
    }
    case 'read-shadow': {
      const { shadow } = state;
      const isOwn = shadow && (shadow.owner === id || adopted(projector, shadow) !== null);
      if (!shadow || !isOwn || shadow.kind === 'rebuild') return go('left', drain(false));
      const from = adopted(projector, shadow) ?? shadow;
      return go('read-shadow', { at: 'read-head', from }, { ...state, shadow: from });
    }
    case 'read-head': {
      const { head } = state;
      const isHeld = head.held?.why === 'change' && head.set !== null;
      if (!isHeld) return go('read-head', { at: 'give-up', from: runner.from });
      return go('read-head', { ...runner, at: 'read-entry', head });
    }
    case 'read-entry': {
      const above = context.without?.includes('next-entry') ? -1 : runner.head.sequence;
      const entry = state.queue.find(at => sequenceOf(context, at) > above);
      if (entry === undefined) return go('read-entry', { at: 'give-up', from: runner.from });
      const isBegun = runner.from.parts === PARTS;
      return go('read-entry', { ...runner, at: isBegun ? 'step' : 'judge', entry });
    }
    case 'judge': {
      // Without its documents, the event seems to be of things that are unknown.
      const isValid = state.sets[runner.head.set ?? ''] !== undefined;
      return go('judge', { ...runner, at: isValid ? 'step' : 'refuse' });
    }
    case 'step': {
      if (!isSame(state.shadow, runner.from)) return go('step-conflict', again);
      const { from } = runner;
      const asOf = sequenceOf(context, runner.entry);
      if (from.parts < PARTS || from.blocks < BLOCKS) {
        const shadow =
          from.parts < PARTS
            ? { ...from, parts: from.parts + 1 }
            : { ...from, blocks: from.blocks + 1 };
        const sets = { ...state.sets, [from.set]: { blocks: shadow.blocks, asOf } };
        return go('copy', again, { ...state, shadow, sets });
      }
      if (!isSame(state.head, runner.head)) return go('swap-conflict', again);
      return go('swap', drain(true), swapped(context, state, runner));
    }
    case 'refuse': {
      const { from } = runner;
      const isOwned = isSame(state.shadow, from);
      const isGuarded = !context.without?.includes('owned-removal');
      if (isGuarded && !isOwned) return go('refuse-conflict', again);
      if (from.parts > 0 && state.sets[from.set]) {
        const { [from.set]: _, ...sets } = state.sets;
        const shadow = isOwned ? { ...from, parts: 0 } : state.shadow;
        return go('remove', again, { ...state, sets, shadow });
      }
      if (!isOwned || !isSame(state.head, runner.head)) return go('refuse-conflict', again);
      const held = heldFor('parked', `by ${runner.entry}`, state.head.held?.queued ?? 0);
      return go('park', drain(false), { ...state, head: { ...state.head, held }, shadow: null });
    }
    case 'give-up': {
      if (!isSame(state.shadow, runner.from)) return go('give-up-conflict', again);
      const ended = { ...state, shadow: null, sweeps: swept(state, runner.from.set) };
      return go('give-up', drain(false), ended);
    }
  }
}

/** Returns the shadow set as this projector adopts it; null if it may not, or need not. */
function adopted({ id, epoch }: Projector, shadow: Shadow): Shadow | null {
  if (shadow.kind === 'rebuild' || !mayAdopt(shadow.epoch ?? undefined, epoch)) return null;
  return { ...shadow, owner: id, epoch };
}

function inspect(
  { without = [] }: ShadowContext,
  state: ShadowState,
  { projector, name, put }: RunnerOf,
): Steps {
  const { shadow, head } = state;
  const begin = (label: string, runner: Runner): Steps => [
    [`${name}.${label}`, put(state, runner)],
  ];
  if (projector.at !== 'run') return [];
  if (shadow?.kind === 'event') {
    const isOld = without.includes('adoption');
    const isOwn = shadow.owner === projector.id;
    if (!isOwn && (isOld || !adopted(projector, shadow))) return [];
    return begin('look', { at: 'read-shadow' });
  }
  if (!shadow && head.held?.why !== 'change') return [];
  const duty = dutyOf(shadow);
  if (duty === 'give up' && shadow && !without.includes('lease')) {
    return begin('look', { at: 'end', from: shadow });
  }
  if (duty !== 'drain' || without.includes('drain-duty')) return [];
  return begin('look', { at: 'drain', drain: DRAIN, goesOn: false });
}

function swapped(
  context: ShadowContext,
  state: ShadowState,
  { from, entry, head }: Change,
): ShadowState {
  const isBig = kindOf(context, entry) === 'big';
  const held = beingApplied({ since: '', queued: (head.held?.queued ?? 1) - 1 });
  const sequence = isBig ? sequenceOf(context, entry) : head.sequence;
  const now: Head = { ...head, set: from.set, sequence, held };
  const queue = state.queue.filter(at => at !== entry);
  return { ...state, head: now, queue, shadow: null, sweeps: swept(state, head.set) };
}
