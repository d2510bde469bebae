// The open transaction of a partition and the writes of its chunks: the only code that opens, ends or drops one. A chunk
// has a transaction of its own; chunks of a partition that is far behind share one. Each of these parts writes only its
// rows, and the last one what all of them changed in sums and heads. Each part moves the checkpoint first, so that a
// former owner fails as it does without parts. One write at a time is at the store; when it fails, so do those behind it.

import { FencedError, StaleError } from '../../store/database-errors.ts';
import type { Claim } from '../../store/writing/checkpoints.ts';
import { PausedError } from '../../store/writing/parking-alarm.ts';
import { type FoldCounts, NO_COUNTS } from '../fold/fold.ts';
import {
  type CheckpointRead,
  change,
  type Failure,
  type FoldedFacts,
  isUnderWay,
  type Transaction,
  type Transition,
  type Write,
} from './machine-state.ts';

/** Returns the transaction with one more chunk. */
function withChunk({ state }: Transition, { applied }: FoldedFacts): Transaction {
  const { parts, counts, ...begun } = state.open ?? {
    from: state.claim,
    parts: 0,
    counts: NO_COUNTS,
    startedAtMs: state.work?.startedAtMs ?? 0,
    writtenAt: applied.writtenAt,
  };
  return { ...begun, parts: parts + 1, counts: sumOf(counts, applied.counts) };
}

/** Returns whether more chunks may follow a folded one in its transaction. */
export function mayBePart(on: Transition, chunk: FoldedFacts): boolean {
  const { sharing, failures, claim, sharesFrom, ended } = on.state;
  if (!chunk.isFarBehind || !chunk.isPlain || ended !== null) return false;
  if (failures > 0 || claim.next < sharesFrom) return false;
  const { from, parts, startedAtMs } = withChunk(on, chunk);
  const isYoung = on.seen.nowMs - startedAtMs < sharing.ageMsMax;
  const isShort = parts < sharing.partsMax && chunk.applied.next - from.next < sharing.recordsMax;
  const fits = chunk.streams < sharing.streamsMax && chunk.documents < sharing.documentsMax;
  return isYoung && isShort && fits;
}

/** Writes a folded chunk: as a part of the open transaction, or as the end of it. */
export function writeChunk(on: Transition, chunk: FoldedFacts, isPart: boolean): void {
  const { next, fingerprints } = chunk.applied;
  const transaction = withChunk(on, chunk);
  const to = { ...on.state.claim, next, fingerprints };
  const last = transaction.parts > 1 ? 'last' : 'alone';
  write(on, { transaction, to, kind: isPart ? 'part' : last }, isPart ? 'rows' : 'chunk');
}

/** Ends the open transaction, if there is one, without another chunk. No chunk may be half folded. */
export function endTransaction(on: Transition): void {
  const { open, claim } = on.state;
  if (open) write(on, { transaction: open, to: claim, kind: 'last' }, 'rest');
}

function write(
  on: Transition,
  made: Omit<Write, 'outcome'>,
  what: 'chunk' | 'rows' | 'rest',
): void {
  const { writes } = on.state;
  // It fails with those before it.
  const failed = writes.find(({ outcome }) => typeof outcome === 'object');
  const added = { ...made, outcome: failed?.outcome ?? 'waits' };
  const open = made.kind === 'part' ? made.transaction : null;
  change(on, { claim: made.to, open, writes: [...writes, added] });
  on.effects.push({ do: 'take', what });
  sendNext(on);
}

/** Notes what became of the write at the store, and sends the one behind it. */
export function noteOutcome(on: Transition, outcome: 'stored' | Failure): void {
  const { writes } = on.state;
  const isSent = (one: Write) => one.outcome === 'sent';
  if (!writes.some(isSent)) throw new Error('Expected a write, got none');
  const isMeant = outcome === 'stored' ? isSent : isUnderWay;
  change(on, { writes: writes.map(one => (isMeant(one) ? { ...one, outcome } : one)) });
  sendNext(on);
}

function sendNext(on: Transition): void {
  const { writes } = on.state;
  const at = writes.findIndex(isUnderWay);
  const next = writes[at];
  if (next?.outcome !== 'waits') return;
  change(on, { writes: writes.with(at, { ...next, outcome: 'sent' }) });
  on.effects.push({ do: 'send', write: next });
}

/** Looks at outcomes until at most `left` writes are left; returns the first one that failed, or is under way. */
export function dropStored(on: Transition, left: number): Write | null {
  for (;;) {
    const { writes } = on.state;
    const [oldest] = writes;
    if (!oldest || writes.length <= left) return null;
    if (oldest.outcome !== 'stored') return oldest;
    change(on, { writes: writes.slice(1), failures: 0 });
  }
}

/** Forgets everything that was folded; nothing of it may be kept over a store whose contents are uncertain. */
export function resetTo(on: Transition, claim: Claim): void {
  const sharesFrom = on.state.claim.next;
  change(on, { claim, sharesFrom, writes: [], open: null });
  on.effects.push({ do: 'clear cache' });
}

/** What the store holds after a write that failed. */
export interface Resolved {
  /** Everything below its `next` is stored, and nothing else. */
  readonly claim: Claim;
  /** Why the write is not stored; null when it is. */
  readonly failure: Failure | null;
}

/** Decides what a checkpoint means for a write that failed before it was read: the error does not say whether it is stored. */
export function resolveOutcome(
  checkpoint: CheckpointRead | null,
  { from, to }: { readonly from: Claim; readonly to: Claim },
  failure: Failure,
): Resolved {
  const { partition, epoch } = to;
  const isFenced = failure.error instanceof FencedError;
  if (checkpoint?.epoch !== epoch) {
    const lost = new FencedError(`Partition ${partition} is not under epoch ${epoch}`);
    return { claim: from, failure: isFenced ? failure : { error: lost } };
  }
  const { next, fingerprints, paused } = checkpoint;
  const claim = { ...to, next, fingerprints };
  if (next >= to.next) return { claim, failure: null };
  if (!isFenced) return { claim, failure };
  // The owner's own checkpoint refuses a write while it is paused, when it is not where the write began, and while a switch
  // holds it, which passes.
  const place = next === from.next ? 'held for a switch' : `at offset ${next}, not at ${from.next}`;
  const error =
    paused === undefined
      ? new StaleError(`Partition ${partition} is ${place}`)
      : new PausedError(`Partition ${partition} is paused`);
  return { claim, failure: { error } };
}

function sumOf(a: FoldCounts, b: FoldCounts): FoldCounts {
  const sum = { ...a };
  for (const outcome of Object.keys(b) as (keyof FoldCounts)[]) sum[outcome] += b[outcome];
  return sum;
}
