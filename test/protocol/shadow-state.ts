// The state of the model of shadow sets, and what may happen in a scene.
import type { Held } from '../../projections/documents.ts';
import { nextExpected } from '../../src/projector/fold/gate.ts';

/** What the protocol does without, as it was before it was mended. */
export type Unmended =
  /** An owner takes shadow sets over once, after its claim, and a drain begins one for the owner it has read. */
  | 'adoption'
  /** A rebuild has no lease that anybody ends. */
  | 'lease'
  /** Nobody drains a stream that is held for work without a shadow set. */
  | 'drain-duty'
  /** A big change is whatever stands first in the queue. */
  | 'next-entry'
  /** Each attempt of a rebuild to hold its stream has an owner of its own. */
  | 'same-owner'
  /** A drain that begins a big change leaves the sequences before it as missing, although they are given up. */
  | 'given-up'
  /** A process that finds the event invalid removes parts of its set, even if another one writes the change by now. */
  | 'owned-removal';

export interface Faults {
  readonly crash: number;
  readonly takeover: number;
  readonly kill: number;
  /** A rebuild is silent for longer than its lease. */
  readonly frozen: number;
  /** A hold was stored, and its answer got lost. */
  readonly unknown: number;
}

export interface ShadowContext {
  /**
   * Words of a kind and a sequence. `big`: needs a shadow set. `named`: any other event. `bad`: invalid until the
   * operator retries. `junk0`: a record without a sequence. `deleted`: ends the stream. Missing sequences are given up by
   * the operator.
   */
  readonly log: readonly string[];
  readonly projectors?: number;
  readonly rebuilds?: number;
  readonly hasOperator?: true;
  readonly max?: Partial<Faults>;
  readonly without?: readonly Unmended[];
}

export interface Head {
  readonly sequence: number;
  readonly set: string | null;
  readonly held: Held | null;
  readonly deleted: boolean;
}

export interface Shadow {
  readonly kind: 'event' | 'rebuild';
  readonly owner: string;
  /** The epoch of the claim under which it was adopted; null before. */
  readonly epoch: number | null;
  readonly set: string;
  /** Parts of the catalogue that are written. */
  readonly parts: number;
  /** Blocks of rows that are copied. */
  readonly blocks: number;
  readonly isLapsed: boolean;
}

export type Drain =
  | { readonly at: 'head' }
  | { readonly at: 'entries'; readonly loaded: Head }
  | { readonly at: 'shadow' | 'commit'; readonly loaded: Head; readonly taken: readonly number[] }
  | { readonly at: 'begin'; readonly loaded: Head; readonly first: number; readonly owner: string };

/** A big change as its writer read it. */
export interface Change {
  readonly from: Shadow;
  readonly head: Head;
  readonly entry: number;
}

/** The writer of big changes of a projector. */
export type Runner =
  | { readonly at: 'idle' | 'read-shadow' }
  | { readonly at: 'end'; readonly from: Shadow }
  | { readonly at: 'drain'; readonly drain: Drain; readonly goesOn: boolean }
  | { readonly at: 'read-head'; readonly from: Shadow }
  | { readonly at: 'read-entry'; readonly from: Shadow; readonly head: Head }
  | ({ readonly at: 'judge' | 'step' | 'refuse' } & Change)
  | { readonly at: 'give-up'; readonly from: Shadow };

export interface Projector {
  readonly id: string;
  readonly at: 'down' | 'claimed' | 'take' | 'run';
  readonly epoch: number;
  /** The drain of its pipeline. */
  readonly drain: Drain | null;
  readonly runner: Runner;
}

interface Rebuilding {
  readonly head: Head;
  readonly set: string;
  readonly blocks: number;
}

export type Rebuild =
  | { readonly at: 'idle' | 'hold' | 'exit' }
  /** Refused, although nobody else rebuilds. */
  | { readonly at: 'misled' }
  | { readonly at: 'killed' }
  | { readonly at: 'hold-commit'; readonly head: Head; readonly before: Shadow | null }
  | ({ readonly at: 'write' | 'swap' | 'give-up' } & Rebuilding)
  | ({ readonly at: 'swap-commit'; readonly loaded: Head } & Rebuilding)
  | { readonly at: 'drain'; readonly drain: Drain };

export interface ShadowState {
  readonly checkpoint: { readonly epoch: number; readonly owner: string; readonly next: number };
  readonly head: Head;
  /** Places in the log, in the order of their turns. */
  readonly queue: readonly number[];
  readonly shadow: Shadow | null;
  /** The document sets that exist: their blocks, and the sequence that they are as of. */
  readonly sets: Readonly<Record<string, { readonly blocks: number; readonly asOf: number }>>;
  readonly sweeps: readonly string[];
  /** The operator's release can apply `bad` and `junk`. */
  readonly isFixed: boolean;
  /** Sequences that the operator gave up. */
  readonly givenUp: readonly number[];
  readonly projectors: readonly Projector[];
  readonly rebuilds: readonly Rebuild[];
  readonly operator: Drain | null;
  readonly faults: Faults;
}

/** Parts of the catalogue of a whole set, and blocks of its rows. */
export const PARTS = 2;
export const BLOCKS = 2;

export function sequenceOf({ log }: ShadowContext, at: number): number {
  return Number(/\d+$/.exec(log[at] ?? '')?.[0] ?? 0);
}

export function kindOf({ log }: ShadowContext, at: number): string {
  return (log[at] ?? '').replace(/\d+$/, '');
}

/** Returns the sequence that comes next, up to that of an event: given-up ones count as applied. */
export function expectedIn({ givenUp }: ShadowState, reached: number, sequence: number): number {
  const isSkipped = (_: string, one: number) => givenUp.includes(one);
  return nextExpected({ id: '', sequence: reached }, sequence, isSkipped);
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the sets once a head's set is as of a sequence. */
export function asOf(
  { sets }: ShadowState,
  id: string | null,
  sequence: number,
): ShadowState['sets'] {
  const set = sets[id ?? ''];
  return id === null || !set ? sets : { ...sets, [id]: { ...set, asOf: sequence } };
}

export function heldFor(why: Held['why'], reason: string, queued: number): Held {
  return { since: '', why, reason, queued };
}

export function swept(state: ShadowState, set: string | null): readonly string[] {
  return set === null || state.sweeps.includes(set) ? state.sweeps : [...state.sweeps, set];
}
