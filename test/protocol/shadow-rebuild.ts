// `rebuild --budget` in the model of shadow sets: it holds the stream under a lease, and may be killed or stand still.
import type { Step } from './explore.ts';
import { drainSteps } from './shadow-drain.ts';
import {
  BLOCKS,
  type Drain,
  isSame,
  PARTS,
  type Rebuild,
  type ShadowContext,
  type ShadowState,
  swept,
} from './shadow-state.ts';

type Steps = Step<ShadowState>[];

export function rebuildSteps(context: ShadowContext, state: ShadowState, index: number): Steps {
  const rebuild = state.rebuilds[index] as Rebuild;
  const name = `B${index}`;
  const owner = `b${index}`;
  const put = (to: ShadowState, next: Rebuild): ShadowState => ({
    ...to,
    rebuilds: to.rebuilds.map((one, at) => (at === index ? next : one)),
  });
  const { head, shadow, faults } = state;
  const { max = {} } = context;
  const steps: Steps = [];
  const go = (label: string, next: Rebuild, to = state) =>
    steps.push([`${label.startsWith('!') ? '!' : ''}${name}.${label}`, put(to, next)]);
  const isRunning = !['idle', 'exit', 'killed'].includes(rebuild.at);
  if (isRunning && faults.kill < (max.kill ?? 0)) {
    go('!kill', { at: 'killed' }, { ...state, faults: { ...faults, kill: faults.kill + 1 } });
  }
  if (shadow?.owner === owner) {
    const lapsed = { ...state, shadow: { ...shadow, isLapsed: true } };
    if (rebuild.at === 'killed' || rebuild.at === 'exit') go('lapse', rebuild, lapsed);
    else if (shadow.isLapsed) {
      go('renew', rebuild, { ...state, shadow: { ...shadow, isLapsed: false } });
    } else if (faults.frozen < (max.frozen ?? 0)) {
      go('!freeze', rebuild, { ...lapsed, faults: { ...faults, frozen: faults.frozen + 1 } });
    }
  }
  switch (rebuild.at) {
    case 'idle':
      if (state.checkpoint.next > 0) go('!rebuild', { at: 'hold' });
      break;
    case 'hold':
      if (head.set === null || shadow?.kind === 'event') go('refuse', { at: 'exit' });
      else if (shadow?.owner === owner) {
        const isKnown = !context.without?.includes('same-owner');
        go('held', isKnown ? { at: 'write', head, set: shadow.set, blocks: 0 } : { at: 'misled' });
      } else go('hold', { at: 'hold-commit', head, before: shadow });
      break;
    case 'hold-commit': {
      if (!isSame(head, rebuild.head) || !isSame(shadow, rebuild.before)) {
        go('hold-conflict', shadow?.kind === 'rebuild' ? { at: 'exit' } : { at: 'hold' });
        break;
      }
      const set = `${head.set?.split('.')[0]}.${index}`;
      const queued = head.held?.queued ?? 0;
      const held = { since: owner, why: 'change', reason: 'rebuild', queued } as const;
      const begun = { epoch: null, parts: PARTS, blocks: 0, isLapsed: false };
      const now = { ...head, held };
      const stored: ShadowState = {
        ...state,
        head: now,
        shadow: { kind: 'rebuild', owner, set, ...begun },
        sweeps: rebuild.before ? swept(state, rebuild.before.set) : state.sweeps,
      };
      go('hold-commit', { at: 'write', head: now, set, blocks: 0 }, stored);
      if (faults.unknown < (max.unknown ?? 0)) {
        const lost = { ...stored, faults: { ...faults, unknown: faults.unknown + 1 } };
        go('!hold-unknown', { at: 'hold' }, lost);
      }
      break;
    }
    case 'write': {
      const { set, blocks } = rebuild;
      if (shadow?.owner !== owner || shadow.blocks !== blocks) {
        go('write-conflict', { ...rebuild, at: 'give-up' });
        break;
      }
      const written = blocks + 1;
      go(
        'write',
        { ...rebuild, blocks: written, at: written === BLOCKS ? 'swap' : 'write' },
        {
          ...state,
          shadow: { ...shadow, blocks: written },
          sets: { ...state.sets, [set]: { blocks: written, asOf: rebuild.head.sequence } },
        },
      );
      break;
    }
    case 'swap': {
      const isSwapped = head.set === rebuild.set;
      const isOther = head.set !== rebuild.head.set || head.sequence !== rebuild.head.sequence;
      if (isSwapped || isOther) go('swap-no-more', { ...rebuild, at: 'give-up' });
      else go('swap-head', { ...rebuild, at: 'swap-commit', loaded: head });
      break;
    }
    case 'swap-commit': {
      const { loaded, ...rest } = rebuild;
      if (shadow?.owner !== owner || shadow.blocks !== rebuild.blocks) {
        go('swap-lost', { ...rest, at: 'give-up' });
      } else if (!isSame(head, loaded)) go('swap-conflict', { ...rest, at: 'swap' });
      else {
        go(
          'swap',
          { ...rest, at: 'give-up' },
          {
            ...state,
            head: { ...head, set: rebuild.set },
            shadow: null,
            sweeps: swept(state, head.set),
          },
        );
      }
      break;
    }
    case 'give-up': {
      const drain: Rebuild = { at: 'drain', drain: { at: 'head' } };
      if (shadow?.set !== rebuild.set) go('done', drain);
      else go('give-up', drain, { ...state, shadow: null, sweeps: swept(state, shadow.set) });
      break;
    }
    case 'drain': {
      const putDrain = (to: ShadowState, next: Drain | null) =>
        put(to, next ? { at: 'drain', drain: next } : { at: 'exit' });
      steps.push(
        ...drainSteps(context, state, { drain: rebuild.drain, by: { name, put: putDrain } }),
      );
      break;
    }
    default:
      break;
  }
  return steps;
}
