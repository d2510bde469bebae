// An exhaustive search, breadth first, over the states of a small model of the protocol. A model's decisions are the
// product's own pure functions; each step between them stands for one command or transaction of the database, or for one
// step in memory, and a process may stop between any two.

/** A step of a model: what happens, and the state after it. A label that begins with `!` is a fault. */
export type Step<S> = readonly [label: string, state: S];

/** States are plain JSON: two with the same text are one state. */
export interface Model<S> {
  init(): readonly S[];
  /** Returns the possible steps, each with a state of its own. */
  next(state: S): Iterable<Step<S>>;
  /** Returns what is wrong with a state, null when nothing is. */
  invariant(state: S): string | null;
  /** As `invariant`, for a state that only faults can leave. */
  quiescent?(state: S): string | null;
}

export interface Exploration {
  readonly states: number;
  readonly quiescent: number;
  /** The first violation, found on a shortest way; null when the search completed without one. */
  readonly violation: Violation | null;
}

export interface Violation {
  readonly what: string;
  /** The labels of the steps from an initial state. */
  readonly trace: readonly string[];
}

/** Beyond this many states a scene is too large for a test, and the search throws. */
const STATES_MAX = 2_000_000;

/** Searches until a violation is found or no state is left. */
export function explore<S>(model: Model<S>, statesMax = STATES_MAX): Exploration {
  const known = new Set<string>();
  const found: Found[] = [];
  let quiescent = 0;
  const add = (state: S, parent: number, label: string): string => {
    const text = JSON.stringify(state);
    if (!known.has(text)) {
      known.add(text);
      found.push({ text, parent, label });
    }
    return text;
  };
  for (const state of model.init()) add(state, -1, 'init');
  for (let at = 0; at < found.length; at += 1) {
    if (found.length > statesMax) throw new Error(`Expected at most ${statesMax} states, got more`);
    const text = found[at]?.text ?? '';
    const state = JSON.parse(text) as S;
    let what = model.invariant(state);
    if (what === null) {
      let canContinue = false;
      for (const [label, to] of model.next(state)) {
        const isOther = add(to, at, label) !== text;
        canContinue ||= isOther && !label.startsWith('!');
      }
      if (!canContinue) {
        quiescent += 1;
        // `next` may have changed what it was given.
        what = model.quiescent?.(JSON.parse(text) as S) ?? null;
      }
    }
    if (what !== null)
      return { states: found.length, quiescent, violation: { what, trace: traceOf(found, at) } };
  }
  return { states: found.length, quiescent, violation: null };
}

interface Found {
  readonly text: string;
  readonly parent: number;
  readonly label: string;
}

function traceOf(found: readonly Found[], last: number): string[] {
  const trace: string[] = [];
  for (let at = last; at >= 0; at = found[at]?.parent ?? -1) trace.unshift(found[at]?.label ?? '');
  return trace.slice(1);
}

/** Returns a copy of a state that a step may change. */
export function copy<S>(state: S): S {
  return JSON.parse(JSON.stringify(state)) as S;
}
