// A model of generations: supervisors of some versions, an operator, a reader and one stream. It decides by the product's
// own functions; each step is one command or transaction, or one step in memory between two.

import { partiesOf, rolledBack, withRequested } from '../../src/generations/operate.ts';
import { UserError } from '../../src/process/errors.ts';
import { isBuild, withAbandoned } from '../../src/store/generation-plan.ts';
import { isDropped, type Registry } from '../../src/store/registry.ts';
import { copy, type Model, type Step } from './explore.ts';
import { begin, EMPTY, type State, thaw } from './generations-state.ts';
import {
  beginSwitch,
  change,
  commitSwitch,
  holdActive,
  isMended,
  release,
  type Scene,
  stepOf,
  timeOf,
} from './generations-steps.ts';
import { supervise } from './generations-supervisor.ts';

export function generationsModel(scene: Scene): Model<State> {
  return {
    init: () => [observed(begin(scene.start, scene.versions))],
    *next(from) {
      for (const steps of [events, supervise, operate, read])
        for (const [label, to] of steps(scene, from)) yield [label, observed(to)];
    },
    invariant: state => problemOf(scene, state),
  };
}

/** Returns the state after any reader has read the budget's position. */
function observed(s: State): State {
  const { active } = s.registry;
  const position = s.generations[active ?? '']?.sequence ?? -1;
  if (active !== null && position < s.seen) s.steppedBack = true;
  s.seen = Math.max(s.seen, position);
  return s;
}

/** Where a supervisor is that may hold the active generation. */
const SWITCHING = ['switch', 'begin', 'commit', 'give back'];
const OPERATOR = 'operator';

function problemOf(scene: Scene, state: State): string | null {
  const { registry, generations, reader, steppedBack, minute, hold, supervisors, operator } = state;
  const { active } = registry;
  if (registry.generations.length > 2) return 'more than two generations';
  if (active !== null) {
    const own = registry.generations.find(({ id }) => id === active);
    if (!own) return 'the registry does not name the active generation';
    if (own.state !== 'active') return `the active generation is ${own.state}: nobody feeds it`;
    if (!generations[active] || generations[active].isDropped)
      return 'the active generation is dropped';
  }
  if (reader && minute - reader.minute < 1 && generations[reader.generation]?.isDropped)
    return 'a reader loses its generation within a minute';
  if (Object.values(generations).some(({ isBack }) => isBack))
    return 'a dropped generation is back';
  const isAbandoned =
    hold &&
    !(hold.by === OPERATOR && operator.at !== 'idle') &&
    !supervisors.some(
      ({ at }, index) => SWITCHING.includes(at) && hold.by.startsWith(`S${index} `),
    );
  if (isAbandoned && !isMended(scene, 'holds end')) return 'nobody ends the hold';
  return steppedBack ? 'a reader steps back' : null;
}

/** The log grows, time passes, projectors apply chunks and drain queues. */
function* events(scene: Scene, from: State): Generator<Step<State>> {
  if (from.log < scene.log.length)
    yield* stepOf(from, '!append', s => Object.assign(s, { log: s.log + 1 }));
  if (from.minute < scene.minutes)
    yield* stepOf(from, '!a minute', s => Object.assign(s, { minute: s.minute + 1 }));
  if (from.hold && isMended(scene, 'holds end'))
    yield* stepOf(from, '!the hold ends', s => Object.assign(s, { hold: null }));
  for (const [id, generation] of Object.entries(from.generations)) {
    const { next, queue, sequence } = generation;
    if (!from.supervisors.some(({ fed }) => fed.includes(id))) continue;
    if (generation.isDropped) {
      yield* claimAgain(scene, from, id);
      continue;
    }
    const isLocked = from.lock?.generation === id;
    const isStill =
      (isLocked && isMended(scene, 'locked positions')) || from.hold?.generation === id;
    if (next < from.log && !isStill)
      yield* stepOf(from, `${id}: a chunk`, s => apply(scene, s, id));
    const mayDrain = !(isLocked && isMended(scene, 'locked heads'));
    if (queue.includes(sequence + 1) && mayDrain)
      yield* stepOf(from, `${id}: a drain`, s => drain(s, id));
  }
}

/** A projector that stood still claims a partition whose checkpoint was dropped: the claim inserts another one. */
function* claimAgain(scene: Scene, from: State, id: string): Generator<Step<State>> {
  if (isMended(scene, 'claim guard') && isDropped(thaw(from.registry), id)) return;
  yield* stepOf(from, `${id}: a claim`, s => {
    s.generations[id] = { ...EMPTY, isBack: true };
  });
}

function apply({ log }: Scene, s: State, id: string): void {
  const generation = s.generations[id];
  const sequence = log[generation?.next ?? 0];
  if (!generation || sequence === undefined) return;
  generation.next += 1;
  if (sequence <= generation.sequence) return;
  if (generation.queue.length === 0 && sequence === generation.sequence + 1)
    generation.sequence = sequence;
  else generation.queue = [...generation.queue, sequence].sort();
}

function drain(s: State, id: string): void {
  const generation = s.generations[id];
  if (!generation) return;
  while (generation.queue.includes(generation.sequence + 1)) generation.sequence += 1;
  generation.queue = generation.queue.filter(sequence => sequence > generation.sequence);
}

/** A request reads which generation is active, and uses it for up to a minute. */
function* read(scene: Scene, from: State): Generator<Step<State>> {
  const { active } = from.registry;
  if (scene.minutes === 0 || active === null) return;
  yield* stepOf(from, 'a request begins', s => {
    s.reader = { generation: active, minute: s.minute };
  });
}

/** Each command is given once, and may be killed. */
function* operate(scene: Scene, from: State): Generator<Step<State>> {
  const { commands = [] } = scene;
  const { at, done, begun } = from.operator;
  const now = (s: State) => timeOf(scene, s);
  if (at === 'idle') {
    for (const [index, command] of commands.entries()) {
      if (done & (1 << index)) continue;
      yield* stepOf(from, `!operator: ${command}`, s => {
        s.operator.done |= 1 << index;
        if (command !== 'rollback')
          return orRefused(() => change(s, registry => ask(registry, command, now(s))));
        s.operator.at = 'read';
        return true;
      });
    }
  }
  if (at === 'read')
    yield* stepOf(from, 'operator: read', s => {
      s.operator.at = 'idle';
      orRefused(() => {
        s.operator.begun = partiesOf(thaw(s.registry)).to.id;
        s.operator.read = copy(s.registry);
        s.operator.at = 'begin';
      });
    });
  else if (from.restarts < (scene.restarts ?? 0))
    yield* stepOf(from, '!operator: is killed', s => {
      s.restarts += 1;
      if (s.lock?.by === OPERATOR) s.lock = null;
      Object.assign(s.operator, { at: 'idle', read: null });
    });
  if (at === 'begin' && from.hold === null)
    yield* stepOf(from, 'operator: hold', s => holdActive(s, OPERATOR));
  if (at === 'begin')
    yield* stepOf(from, 'operator: begin', s => {
      const result = beginSwitch(s, OPERATOR, begun ?? '');
      if (result === 'conflict') return false;
      s.operator.at = result === 'begun' ? 'commit' : 'idle';
      if (result === 'behind') {
        s.operator.read = null;
        release(s, OPERATOR);
      }
      return true;
    });
  if (at === 'commit')
    yield* stepOf(from, 'operator: commit', s => {
      const after = (registry: Registry) => rolledBack(registry, partiesOf(registry), now(s));
      s.operator.at = commitSwitch(s, s.operator, after) ? 'idle' : 'read';
      release(s, OPERATOR);
    });
}

function ask(registry: Registry, command: 'rebuild' | 'abandon', now: Date): Registry | null {
  const { active, generations } = registry;
  if (command === 'rebuild')
    return withRequested(registry, generations.find(({ id }) => id === active)?.version ?? 1, now);
  const build = generations.find(isBuild);
  return build ? withAbandoned(registry, build, now) : null;
}

/** Returns false where a command is refused. */
function orRefused(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
