// A model of requests that wait for a position while generations are switched (src/store/reading/position-watcher.ts). Reads
// and change streams show what a majority has. A change stream begins with the last operation that a read showed before it
// was opened.
import { concerning } from '../../src/store/reading/position-watcher.ts';
import { copy, type Model, type Step } from './explore.ts';

export type Mend = 'time first' | 'time of a majority';

export interface Scene {
  /** The awaited sequence. */
  readonly awaited: number;
  readonly switches: number;
  readonly without?: Mend;
}

type Operation = 'switch' | { readonly generation: number; readonly sequence: number };

export interface State {
  /** The applied sequence of each generation. */
  applied: [number, number];
  active: number;
  switches: number;
  /** The generation that no projector feeds any more. */
  stopped: number | null;
  operations: Operation[];
  /** So many of the operations a majority has. */
  confirmed: number;
  watcher: Watcher;
  /** A request that waits; `isWoken` until it has read again. */
  request: { at: 'start' | 'waiting' | 'done'; isWoken: boolean };
}

interface Watcher {
  at: 'off' | 'first' | 'second' | 'open' | 'still active?';
  generation: number | null;
  /** The next operation that its change stream tells. */
  next: number;
}

const SUBJECT = 'the budget';

export function waitsModel(scene: Scene): Model<State> {
  return {
    init: () => [
      {
        ...{ applied: [1, 1], active: 0, switches: 0, stopped: null },
        ...{ operations: [], confirmed: 0 },
        watcher: { at: 'off', generation: null, next: 0 },
        request: { at: 'start', isWoken: false },
      },
    ],
    *next(from) {
      yield* projectors(scene, from);
      yield* request(scene, from);
      yield* watcher(scene, from);
    },
    invariant: () => null,
    quiescent: ({ applied, active, request: { at, isWoken } }) =>
      at === 'waiting' && !isWoken && (applied[active] ?? 0) >= scene.awaited
        ? 'a request sleeps until its time is over, though the position is reached'
        : null,
  };
}

function* stepOf(from: State, label: string, act: (s: State) => void): Generator<Step<State>> {
  const s = copy(from);
  act(s);
  yield [label, s];
}

function* projectors(scene: Scene, from: State): Generator<Step<State>> {
  const { active, applied, stopped, switches } = from;
  for (const generation of [0, 1] as const) {
    if (applied[generation] >= scene.awaited || stopped === generation) continue;
    yield* stepOf(from, `g${generation} applies`, s => {
      s.applied[generation] += 1;
      s.operations.push({ generation, sequence: s.applied[generation] });
    });
  }
  const other = 1 - active;
  if (switches < scene.switches && (applied[other] ?? 0) >= (applied[active] ?? 0))
    yield* stepOf(from, '!switch', s => {
      Object.assign(s, { active: other, switches: switches + 1 });
      s.operations.push('switch');
    });
  if (from.confirmed < from.operations.length)
    yield* stepOf(from, 'a majority has it', s => {
      s.confirmed += 1;
    });
  if (stopped === null)
    yield* stepOf(from, `!g${other} is no longer fed`, s => Object.assign(s, { stopped: other }));
}

/** What reads show. */
function confirmedIn({ operations, confirmed }: State): { active: number; applied: number[] } {
  const shown = { active: 0, applied: [1, 1] };
  for (const operation of operations.slice(0, confirmed)) {
    if (operation === 'switch') shown.active = 1 - shown.active;
    else shown.applied[operation.generation] = operation.sequence;
  }
  return shown;
}

function* request(scene: Scene, from: State): Generator<Step<State>> {
  const { at, isWoken } = from.request;
  if (at === 'done' || (at === 'waiting' && !isWoken)) return;
  yield* stepOf(from, at === 'start' ? 'read' : 'read again', s => {
    const { applied, active } = confirmedIn(s);
    const isReached = (applied[active] ?? 0) >= scene.awaited;
    s.request = { at: isReached ? 'done' : 'waiting', isWoken: false };
    if (isReached || at !== 'start') return;
    s.request.isWoken = s.watcher.at === 'open';
    if (s.watcher.at === 'off') s.watcher.at = 'first';
  });
}

function* watcher(scene: Scene, from: State): Generator<Step<State>> {
  const { at, next } = from.watcher;
  const readTime = (s: State) => {
    const last = scene.without === 'time of a majority' ? s.operations.length : s.confirmed;
    s.watcher.next = Math.max(0, last - 1);
  };
  const readActive = (s: State) => {
    s.watcher.generation = confirmedIn(s).active;
  };
  const [first, second] =
    scene.without === 'time first' ? [readActive, readTime] : [readTime, readActive];
  if (at === 'first')
    yield* stepOf(from, 'prepare', s => {
      first(s);
      s.watcher.at = 'second';
    });
  if (at === 'second')
    yield* stepOf(from, 'prepare and open', s => {
      second(s);
      s.watcher.at = 'open';
      s.request.isWoken = true;
    });
  if (at === 'open' && next < from.confirmed) yield* stepOf(from, 'a change', s => tell(scene, s));
  if (at === 'still active?')
    yield* stepOf(from, 'still active?', s => {
      s.watcher.at = s.watcher.generation === confirmedIn(s).active ? 'open' : 'first';
    });
}

/** The change stream tells an operation. */
function tell({ awaited }: Scene, s: State): void {
  const operation = s.operations[s.watcher.next];
  s.watcher.next += 1;
  if (operation === 'switch') {
    s.watcher.at = 'still active?';
  } else if (operation && operation.generation === s.watcher.generation) {
    const { sequence } = operation;
    const change = { subject: SUBJECT, sequence, isSpace: false, members: null };
    const waiter = { subject: SUBJECT, sequence: awaited, owner: 'anna', spaceId: () => 's1' };
    if (concerning(change)(waiter)) s.request.isWoken = true;
  }
}
