// What the processes in the model of generations share: changes of the registry, and switches.
import type { Registry } from '../../src/store/registry.ts';
import { type Compared, streamObstacle } from '../../src/store/writing/switch-obstacles.ts';
import { copy, type Step } from './explore.ts';
import {
  type Generation,
  keep,
  MINUTE_MS,
  type Operator,
  type Start,
  type State,
  type Supervisor,
  thaw,
} from './generations-state.ts';

/** What was mended, and may be left out. */
export type Mend =
  | 'drop by the registry'
  | 'lease guard'
  | 'locked heads'
  | 'locked positions'
  | 'holds end'
  | 'claim guard'
  | "database's clock";

export interface Scene {
  readonly start: Start;
  /** The sequences of the stream's events, as they lie in the log. */
  readonly log: readonly number[];
  /** One supervisor for each. */
  readonly versions: readonly number[];
  readonly commands?: readonly ('rollback' | 'rebuild' | 'abandon')[];
  readonly minutes: number;
  readonly rollbackMinutes?: number;
  /** The build in which one verification may find a difference, and another may not. */
  readonly flawed?: string;
  readonly restarts?: number;
  readonly without?: Mend;
}

export function isMended({ without }: Scene, mend: Mend): boolean {
  return without !== mend;
}

/** The clock of version 1's processes is ten minutes ahead; it counts only where the database's does not. */
export function timeOf(scene: Scene, { minute }: State, version?: number): Date {
  const isAhead = version === 1 && !isMended(scene, "database's clock");
  return new Date((minute + (isAhead ? 10 : 0)) * MINUTE_MS);
}

/** Yields a step, unless its act returns false: then it is not possible. */
export function* stepOf(
  from: State,
  label: string,
  act: (s: State) => unknown,
): Generator<Step<State>> {
  const s = copy(from);
  if (act(s) !== false) yield [label, s];
}

function write(s: State, registry: Registry): void {
  s.registry = keep(registry);
  for (const process of [...s.supervisors, s.operator]) if (process.read) process.read = 'stale';
}

/** `changeRegistry`: its compare-and-set repeats the change on what it read, so it is one step. */
export function change(s: State, by: (registry: Registry) => Registry | null): boolean {
  const changed = by(thaw(s.registry));
  if (changed) write(s, changed);
  return changed !== null;
}

/** What a switch that finds no moment to lock the active generation does first: chunks of it are refused for a while. */
export function holdActive(s: State, by: string): void {
  const { active } = s.registry;
  if (active !== null) s.hold = { by, generation: active };
}

/** Ends the hold of a process, if it is its own. */
export function release(s: State, by: string): void {
  if (s.hold?.by === by) s.hold = null;
}

/** The first part of a switch: locks the old generation, and compares. */
export function beginSwitch(s: State, by: string, to: string): 'begun' | 'behind' | 'conflict' {
  const { active } = s.registry;
  if (s.lock) return 'conflict';
  const [from, fresh] = [s.generations[active ?? ''], s.generations[to]];
  if (!fresh || (from && isBehind(from, fresh))) return 'behind';
  s.lock = { by, generation: active };
  return 'begun';
}

/** The last part: the compare-and-set of the registry. */
export function commitSwitch(
  s: State,
  process: Operator | Supervisor,
  after: (registry: Registry) => Registry,
): boolean {
  const { read } = process;
  process.read = null;
  s.lock = null;
  if (read === null || read === 'stale') return false;
  write(s, after(thaw(read)));
  return true;
}

/** Returns whether a reader may step back when it goes from one generation to the other. */
export function isBehind(from: Generation, to: Generation): boolean {
  if (to.next < from.next) return true;
  const streams = { old: comparedOf(from), fresh: comparedOf(to) };
  return streamObstacle({ from: 'the old', to: 'the new' }, 'the stream', streams) !== null;
}

function comparedOf({ sequence, queue }: Generation): Compared | undefined {
  if (sequence === 0 && queue.length === 0) return undefined;
  const held = { since: '', why: 'gap', reason: '', queued: queue.length } as const;
  return { sequence, held: queue.length > 0 ? held : null };
}
