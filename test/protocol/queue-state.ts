// The state of the model of a queue, and what may happen in a scene.
import type { Head } from '../../projections/documents.ts';
import type { Holder } from '../../src/projector/queue/holder.ts';
import type { Logged } from './queue-log.ts';

/** What the protocol does without, as it was before it was mended. */
export type Unmended =
  /** A skip decides again on whatever holds the stream after a conflict. */
  | 'same-target'
  /** A skip ignores the event that the operator names. */
  | 'named-event'
  /** A decision leaves the stream parked. */
  | 'decided-hold'
  /** A step that applies a part of the queue leaves the stream parked, by an entry that is gone. */
  | 'work-hold'
  /** An entry that is gone is taken for the first of the queue. */
  | 'holder-by-entry'
  /** A queue is applied in the order of sequences alone. */
  | 'arrival'
  /** A chunk loads the decisions before its heads. */
  | 'heads-first'
  /** Nobody drains a queue whose process was killed. */
  | 'adoption';

export interface QueueContext {
  readonly log: readonly Logged[];
  /** The sequence that the stream has in the end, however its chunks and drains fell. */
  readonly reaches?: number;
  readonly operators?: readonly OperatorSpec[];
  readonly projectors?: number;
  /** Queue entries that a step of a drain takes. */
  readonly stepMax?: number;
  /** Records that a chunk takes. */
  readonly chunkMax?: number;
  /** How often each fault may happen. */
  readonly max?: Partial<Faults>;
  readonly without?: readonly Unmended[];
}

export interface Faults {
  readonly crash: number;
  readonly takeover: number;
  readonly unknown: number;
  readonly kill: number;
}

export interface QueueState {
  readonly checkpoint: { readonly epoch: number; readonly next: number };
  readonly head: Head | null;
  /** Offsets, in the order of their turns. */
  readonly queue: readonly number[];
  readonly decisions: readonly string[];
  /** A decision that no operator asked for. */
  readonly alien: string | null;
  readonly projectors: readonly Projector[];
  readonly operators: readonly Operator[];
  readonly faults: Faults;
}

/** A drain under way; queue entries are offsets. */
export type Drain =
  | { readonly at: 'look' }
  | { readonly at: 'look-entry'; readonly loaded: Head }
  | { readonly at: 'head' }
  | { readonly at: 'entries'; readonly loaded: Head | null }
  | { readonly at: 'fold'; readonly loaded: Head; readonly taken: readonly number[] }
  | ({ readonly at: 'rest' } & Folded)
  | {
      readonly at: 'commit';
      readonly before: Head;
      readonly now: Head;
      readonly done: readonly number[];
      readonly isErased: boolean;
    };

export interface Folded {
  readonly before: Head;
  readonly after: Head;
  readonly done: readonly number[];
  readonly isErased: boolean;
}

export interface Claimed {
  readonly epoch: number;
  readonly next: number;
}

export type Projector =
  | { readonly at: 'down' }
  | ({ readonly at: 'claimed' | 'run' } & WithClaim)
  | ({ readonly at: 'drain'; readonly drain: Drain } & WithClaim)
  | ({ readonly at: 'load' } & Begun & WithClaim)
  | ({ readonly at: 'fold'; readonly head: Head | null } & Begun & WithClaim)
  | ({ readonly at: 'commit' } & Chunk & WithClaim);

interface WithClaim {
  readonly claim: Claimed;
}

export interface Begun {
  readonly count: number;
  /** Null when they are loaded after the head. */
  readonly decisions: readonly string[] | null;
}

export interface Chunk {
  readonly count: number;
  readonly loaded: Head | null;
  /** Null when the chunk leaves the head as it is. */
  readonly now: Head | null;
  readonly added: readonly number[];
  readonly isErased: boolean;
  readonly isGap: boolean;
}

export interface OperatorSpec {
  readonly name: 'skip' | 'retry';
  readonly missing?: true;
  /** The operator gives the id of the event that the list showed. */
  readonly named?: true;
  /** A killed command is run again. */
  readonly again?: true;
}

interface Common {
  /** The decisions that the operator means; null before the command has read or got them. */
  readonly want: readonly string[] | null;
  readonly drain: Drain | null;
}

export type Operator = Common &
  (
    | { readonly at: 'idle' | 'begin' | 'drain' | 'exit' }
    | { readonly at: 'begin-entry'; readonly head: Head }
    | { readonly at: 'decide'; readonly begun: Holder }
    | { readonly at: 'decide-entry'; readonly begun: Holder; readonly head: Head | null }
    | {
        readonly at: 'commit';
        readonly begun: Holder;
        readonly head: Head;
        readonly decisions: readonly string[];
      }
  );
