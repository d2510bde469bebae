// The states of the model of a partition's pipeline: the store, and the projectors that claim the partition.
import { copy } from './explore.ts';

/** A record of the log: an event of a stream, which may search the stored rows of its stream. */
export interface LogEntry {
  readonly stream: string;
  readonly sequence: number;
  readonly searches: boolean;
}

/** The pipeline's safeguards; a model without one of them must find what it guards against. */
export type Safeguard =
  /** A write that failed and turns out stored clears the cache. */
  | 'forget'
  /** What was folded while the outcome of a write was unknown is folded again. */
  | 'fold again'
  /** Where an earlier commit took place after all, the queues that it let go on are drained. */
  | 'drain what comes late'
  /** The checkpoint moves only from where the chunk began, under the epoch of the claim. */
  | 'fence'
  /** A head is written only if it is as it was loaded. */
  | 'compare heads';

type Fault = 'crash' | 'takeover' | 'fail' | 'unknown' | 'late' | 'swap';

export interface PipelineOptions {
  /** The log: `a2` is event 2 of stream a; `a2c` also searches the rows of its stream. */
  readonly log: string;
  readonly chunkMax?: number;
  readonly partsMax?: number;
  readonly projectors?: number;
  /** How often each fault may happen. */
  readonly faults?: Partial<Record<Fault, number>>;
  readonly without?: Safeguard;
  /** Loads are one step: enough where no commit comes late, because the check of the heads finds what came between. */
  readonly loadsAtOnce?: boolean;
}

export interface ModelHead {
  sequence: number;
  set: 'A' | 'B';
  held: { why: 'gap' | 'parked' | 'change'; queued: number } | null;
}

export interface HeadWrite {
  stream: string;
  loaded: ModelHead | null;
  now: ModelHead;
}

/** What a transaction, or a part of one, writes. */
export interface Changes {
  rows: Record<string, number[]>;
  sums: Record<string, number[]>;
  heads: HeadWrite[];
  waiting: number[];
  /** What the fold did not see that it should have. */
  wrong: string | null;
}

export interface Transaction {
  /** `late`: the client believes the commit lost, and it may still take place. */
  state: 'open' | 'late';
  next: number;
  /** Versions of the heads when it began. */
  snapshot: Record<string, number>;
  changes: Changes;
}

export interface Write {
  /** A transaction of its own, a part of one, or what ends one. */
  kind: 'single' | 'part' | 'end';
  isFirst: boolean;
  from: number;
  to: number;
  /** Where its chunk begins; null where it has none. */
  chunkFrom: number | null;
  changes: Changes;
  state: 'waiting' | 'written' | 'failed';
  error: string | null;
}

export interface Cache {
  heads: Record<string, ModelHead>;
  present: Record<string, number[]>;
  sums: Record<string, number[]>;
  dirtyRows: Record<string, number[]>;
  dirtySums: string[];
  /** Heads as they were before the parts that changed them. */
  unwritten: Record<string, ModelHead | null>;
}

export interface Chunk {
  from: number;
  to: number;
  isFarBehind: boolean;
  isPart: boolean;
  wrong: string | null;
  heads: Record<string, { loaded: ModelHead | null; now: ModelHead | null }>;
  waiting: number[];
  stored: number[];
  gaps: string[];
}

export interface Projector {
  session: number;
  at:
    | 'down'
    | 'claiming'
    | 'draining'
    | 'idle'
    | 'waits to search'
    | 'loads'
    | 'folds'
    | 'begins'
    | 'waits for all';
  claim: { epoch: number; next: number };
  cache: Cache;
  writes: Write[];
  shared: { from: number; parts: number } | null;
  sharesFrom: number;
  failures: number;
  chunk: Chunk | null;
  drains: string[];
}

export interface PipelineState {
  checkpoint: { epoch: number; owner: number | null; next: number };
  heads: Record<string, ModelHead>;
  versions: Record<string, number>;
  documents: Record<string, { rows: number[]; sums: number[] }>;
  /** Indexes of records in the queues. */
  queue: number[];
  transactions: Record<string, Transaction>;
  wrong: string | null;
  projectors: Projector[];
  faults: Record<Fault, number>;
}

/** The options with the log parsed. */
export interface Scene extends PipelineOptions {
  readonly entries: readonly LogEntry[];
  readonly streams: readonly string[];
}

export function sceneOf(options: PipelineOptions): Scene {
  const entries = options.log.split(' ').map(word => ({
    stream: word.slice(0, 1),
    sequence: Number(word.slice(1, 2)),
    searches: word.endsWith('c'),
  }));
  return { ...options, entries, streams: [...new Set(entries.map(({ stream }) => stream))] };
}

export function emptyCache(): Cache {
  return { heads: {}, present: {}, sums: {}, dirtyRows: {}, dirtySums: [], unwritten: {} };
}

export function projectorDown(session: number): Projector {
  return {
    session,
    at: 'down',
    claim: { epoch: 0, next: 0 },
    cache: emptyCache(),
    writes: [],
    shared: null,
    sharesFrom: 0,
    failures: 0,
    chunk: null,
    drains: [],
  };
}

export function firstState({ streams, projectors = 1 }: Scene): PipelineState {
  return {
    checkpoint: { epoch: 0, owner: null, next: 0 },
    heads: {},
    versions: Object.fromEntries(streams.map(stream => [stream, 0])),
    documents: Object.fromEntries(streams.map(stream => [stream, { rows: [], sums: [] }])),
    queue: [],
    transactions: {},
    wrong: null,
    // The next process in its place has the next session.
    projectors: Array.from({ length: projectors }, (_, index) => projectorDown(10 * (index + 1))),
    faults: { crash: 0, takeover: 0, fail: 0, unknown: 0, late: 0, swap: 0 },
  };
}

export function documentsIn(state: PipelineState, stream: string) {
  const documents = state.documents[stream];
  if (!documents) throw new Error(`There is no stream ${stream}`);
  return documents;
}

export function mayFail({ faults = {} }: Scene, state: PipelineState, fault: Fault): boolean {
  return state.faults[fault] < (faults[fault] ?? 0);
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Indexes of the entries in a stream's queue, in the order of their turns. */
export function queueOf({ entries }: Scene, state: PipelineState, stream: string): number[] {
  const sequenceOf = (index: number) => entries[index]?.sequence ?? 0;
  return state.queue
    .filter(index => entries[index]?.stream === stream)
    .sort((one, other) => sequenceOf(one) - sequenceOf(other) || one - other);
}

/** Returns whether another session's transaction has written a head. */
export function isLocked(state: PipelineState, session: number, stream: string): boolean {
  return Object.entries(state.transactions).some(
    ([id, { changes }]) =>
      Number(id) !== session && changes.heads.some(head => head.stream === stream),
  );
}

/** Returns whether another session's transaction has moved the checkpoint, as the first write of each does. */
export function isCheckpointLocked({ transactions }: PipelineState, session: number): boolean {
  return Object.keys(transactions).some(id => Number(id) !== session);
}

export function bumped(state: PipelineState, stream: string): void {
  state.versions[stream] = (state.versions[stream] ?? 0) + 1;
}

/** Applies to the store what a transaction wrote. */
export function land(state: PipelineState, session: number): void {
  const transaction = state.transactions[session];
  if (!transaction) throw new Error(`Session ${session} has no transaction`);
  delete state.transactions[session];
  const { rows, sums, heads, waiting, wrong } = transaction.changes;
  state.wrong ??= wrong;
  state.checkpoint.next = transaction.next;
  for (const [stream, added] of Object.entries(rows))
    documentsIn(state, stream).rows.push(...added);
  for (const [stream, list] of Object.entries(sums)) documentsIn(state, stream).sums = list;
  for (const { stream, now } of heads) {
    state.heads[stream] = copy(now);
    bumped(state, stream);
  }
  state.queue.push(...waiting);
}
