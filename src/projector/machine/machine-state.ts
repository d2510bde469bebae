// The vocabulary of the machine of a partition: its state, the limits of a transaction that chunks share, its inputs, and
// the effects that it asks for.

import type { StoredCheckpoint } from '../../store/collections.ts';
import type { Claim } from '../../store/writing/checkpoints.ts';
import type { Applied } from '../fold/chunk.ts';
import type { FoldCounts } from '../fold/fold.ts';
import type { PauseCause } from '../pause.ts';
import type { Turn } from '../turns.ts';

export type Phase = 'idle' | 'folding' | 'sharing' | 'committing' | 'halted' | 'lost';

export interface Machine {
  /** Everything below its `next` is folded. */
  readonly claim: Claim;
  /** Its `partsMax` is halved when a transaction is too large for the server's cache. */
  readonly sharing: SharingLimits;
  /** The transaction that the next chunk may be a part of. */
  readonly open: Transaction | null;
  /** The writes whose outcome was not looked at, oldest first. */
  readonly writes: readonly Write[];
  readonly work: BatchWork | null;
  readonly ended: 'halted' | 'lost' | null;
  /** The partition is given back once the batch is over. */
  readonly leaves: boolean;
  /** Failed writes since the last one that succeeded. */
  readonly failures: number;
  /** Chunks share no transaction before this offset, because one that they shared was dropped. */
  readonly sharesFrom: number;
  /** The offset that the log was asked for again because a batch began above it. */
  readonly askedAgain: number | null;
  readonly waitsForTurn: boolean;
}

/** Bounds of a transaction that several chunks share. */
export const SHARING_LIMITS = {
  /** Batches up to this size count as live traffic; they take little memory, share nothing and skip the turn queue. */
  liveMax: 500,
  partsMax: 6,
  /** Records of all parts together: the server keeps what they write in its cache. */
  recordsMax: 12_000,
  /** Streams of all parts together: what they change in memory stays there until the commit. */
  streamsMax: 4000,
  /** Documents in memory, besides the rows. */
  documentsMax: 20_000,
  /** Far below the lifetime that the server gives a transaction (60 s). */
  ageMsMax: 20_000,
  /** A transaction that gets no more records is committed after this time. */
  idleMsMax: 1000,
};

export type SharingLimits = Readonly<typeof SHARING_LIMITS>;

/** Returns whether more records follow in a log than live traffic brings at once. */
export function manyFollow(next: number, end: number, { liveMax }: SharingLimits): boolean {
  return next + liveMax < end;
}

/** Where a transaction began, and what its chunks came to. */
export interface Transaction {
  readonly from: Claim;
  readonly startedAtMs: number;
  readonly parts: number;
  readonly counts: FoldCounts;
  /** When its first record was written to the log; absent if the log stores no times. */
  readonly writtenAt?: string | undefined;
}

export interface Write {
  /** Up to this write. */
  readonly transaction: Transaction;
  /** The claim once it is stored. */
  readonly to: Claim;
  /** `part`: more follow. `alone`: a transaction of one chunk. `last`: ends one that has parts. */
  readonly kind: 'part' | 'alone' | 'last';
  /** A write waits for the one before it, and fails with it. */
  readonly outcome: 'waits' | 'sent' | 'stored' | Failure;
}

export interface Failure {
  readonly error: unknown;
}

/** A batch: the offsets that it covers, and where the log ended. */
export interface BatchRange {
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** A batch on its way, or `leaving`. */
export interface BatchWork {
  readonly range: BatchRange | 'leaving';
  readonly step: Step;
  /** When work on the current chunk began. */
  readonly startedAtMs: number;
  /** Failed folds of the current chunk. */
  readonly failedFolds: number;
  /** Another partition began when this one reached the end of the log: the memory is its own. */
  readonly clearsAfter: boolean;
}

/** What the work waits for. */
export type Step =
  | { readonly at: 'turn' | 'fold' | 'abort' | 'follow-up' | 'heartbeat' | 'resume' | 'note' }
  /** Until few enough writes are under way for the folded chunk. */
  | { readonly at: 'room'; readonly chunk: FoldedFacts; readonly isPart: boolean }
  | { readonly at: 'store' | 'back-off'; readonly after: After }
  | {
      readonly at: 'checkpoint';
      readonly write: Write;
      readonly failure: Failure;
      readonly after: After;
    }
  /** Until what follows a late commit is done. `failure`: of the write that met it. */
  | { readonly at: 'drain'; readonly failure: Failure | null; readonly after: After };

/** What follows once the writes are stored. */
export type After =
  | { readonly do: 'fold' | 'mend' | 'abort' | 'cut' | 'end chunk' | 'end' | 'free' | 'leave' }
  /** Only if all that was applied is stored then. */
  | { readonly do: 'follow-up'; readonly applied: Applied }
  | ({ readonly do: 'retry' | 'fail' } & Failure);

/** A folded chunk, as far as the machine needs to know. */
export interface FoldedFacts {
  readonly applied: Applied;
  /** It changes documents and heads alone. */
  readonly isPlain: boolean;
  /** It is large, and much more follows. */
  readonly isFarBehind: boolean;
  /** What memory holds with it, until the transaction ends. */
  readonly streams: number;
  readonly documents: number;
}

/** What a batch, the process or the carried out effects say to the machine. */
export type Report =
  | { readonly is: 'batch'; readonly range: BatchRange; readonly isLarge: boolean }
  | { readonly is: 'ready' | 'leave' | 'halt' | 'idle too long' | 'stored' }
  | { readonly is: 'turn begun' | 'needs store' | 'delivery broke' | 'backed off' | 'aborted' }
  | { readonly is: 'followed up' | 'heartbeat sent' | 'resumed' | 'halt stored' }
  | { readonly is: 'folded'; readonly chunk: FoldedFacts }
  | { readonly is: 'checkpoint'; readonly checkpoint: CheckpointRead | null }
  /** The fold, the write at the store, or anything else that the batch waits for. */
  | ({ readonly is: 'fold failed' | 'write failed' | 'failed' } & Failure);

export type CheckpointRead = Pick<StoredCheckpoint, 'epoch' | 'next' | 'fingerprints' | 'paused'>;

/** A report, and what the machine sees around it. */
export type Input = Report & { readonly seen: Seen };

export interface Seen {
  /** The process's monotonic clock. */
  readonly nowMs: number;
  readonly isStopped: boolean;
  readonly turn: Turn;
}

export type MachineEffect = QuickEffect | SlowEffect;

export type QuickEffect =
  | { readonly do: 'keep turn' | 'end turn' | 'watch idle' | 'unwatch idle' }
  | { readonly do: 'clear cache' | 'evict rows' }
  /** Turns what was folded into the next write: all of a chunk, its rows, or what earlier parts left out. */
  | { readonly do: 'take'; readonly what: 'chunk' | 'rows' | 'rest' }
  | { readonly do: 'answer'; readonly outcome: number | 'halt' | 'lost' }
  | { readonly do: 'report loss'; readonly error: Error }
  | { readonly do: 'reject' | 'left'; readonly error?: unknown };

/** The next input, or a later one, says what came of it. */
export type SlowEffect =
  | { readonly do: 'begin turn' | 'abort parts' | 'read checkpoint' | 'drain held' }
  /** `isAgain`: the same chunk. `isStored`: the store holds everything that was folded, so it may be searched. */
  | { readonly do: 'fold'; readonly isAgain: boolean; readonly isStored: boolean }
  /** Sends the oldest write that was taken and not sent. */
  | { readonly do: 'send'; readonly write: Write }
  | ({ readonly do: 'back off'; readonly failures: number } & Failure)
  /** The chunk is over: applied, dropped, or too much for a transaction. */
  | { readonly do: 'end chunk'; readonly isTooMuch: boolean }
  | { readonly do: 'follow up'; readonly applied: Applied }
  | { readonly do: 'wait for resume'; readonly error: PauseCause }
  | { readonly do: 'halt'; readonly damage: string };

/** @param end where the log of the claimed partition ended */
export function newMachine(claim: Claim, end: number, sharing: SharingLimits): Machine {
  return {
    claim,
    sharing,
    open: null,
    writes: [],
    work: null,
    ended: null,
    leaves: false,
    failures: 0,
    sharesFrom: 0,
    askedAgain: null,
    waitsForTurn: manyFollow(claim.next, end, sharing),
  };
}

/** A step of the machine under way: the state so far, and the effects so far. */
export interface Transition {
  state: Machine;
  readonly effects: MachineEffect[];
  readonly seen: Seen;
}

export function phaseOf({ ended, work, open, writes }: Machine): Phase {
  if (ended !== null) return ended;
  if (work !== null && work.range !== 'leaving') return 'folding';
  if (open) return 'sharing';
  return writes.some(isUnderWay) ? 'committing' : 'idle';
}

export function change(on: Transition, changes: Partial<Machine>): void {
  on.state = { ...on.state, ...changes };
}

export function isUnderWay({ outcome }: Write): boolean {
  return outcome === 'waits' || outcome === 'sent';
}

export function workOn(range: BatchWork['range'], step: Step): BatchWork {
  return { range, step, startedAtMs: 0, failedFolds: 0, clearsAfter: false };
}

export function changeWork(on: Transition, changes: Partial<BatchWork>): void {
  const { work } = on.state;
  if (work) change(on, { work: { ...work, ...changes } });
}

/** Moves the batch on to a step, and asks for what that step waits for. */
export function ask(on: Transition, step: Step, effect?: MachineEffect): void {
  changeWork(on, { step });
  if (effect) on.effects.push(effect);
}
