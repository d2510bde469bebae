// How the machine of a partition works through a batch: turn, chunks, and what follows when a step fails.
import { FencedError, isTooLarge, isTransient } from '../../store/database-errors.ts';
import { needsFollowUp } from '../fold/chunk.ts';
import { isPause } from '../pause.ts';
import {
  type After,
  ask,
  type BatchRange,
  change,
  changeWork,
  type Failure,
  type FoldedFacts,
  type MachineEffect,
  manyFollow,
  phaseOf,
  type Report,
  type Step,
  type Transition,
  workOn,
} from './machine-state.ts';
import { dropStored, endTransaction, resetTo, resolveOutcome, writeChunk } from './transaction.ts';

export function beginBatch(on: Transition, range: BatchRange, isLarge: boolean): void {
  const { work, ended, claim } = on.state;
  if (work) throw new Error(`Expected no batch in phase ${phaseOf(on.state)}, got one`);
  change(on, { work: workOn(range, { at: 'turn' }) });
  if (ended !== null) answer(on);
  else if (range.from > claim.next) refuseGap(on);
  else if (isLarge) ask(on, { at: 'turn' }, { do: 'begin turn' });
  else nextChunk(on);
}

/** A log that begins above the expected offset twice has a hole, and nothing is applied beyond it. */
function refuseGap(on: Transition): void {
  const { claim, askedAgain } = on.state;
  if (askedAgain === claim.next) {
    endTransaction(on);
    change(on, { ended: 'halted' });
    const damage = `expected offset ${claim.next} next, but the log goes on at ${rangeOf(on).from}`;
    ask(on, { at: 'note' }, { do: 'halt', damage });
  } else {
    change(on, { askedAgain: claim.next });
    answer(on);
  }
}

/** Waits until everything that was folded is stored. */
export function wait(on: Transition, after: After): void {
  ask(on, { at: 'store', after });
}

export function nextChunk(on: Transition): void {
  const { claim, ended, writes } = on.state;
  const { from, to, end } = rangeOf(on);
  if (on.seen.isStopped || claim.next < from || ended === 'halted') endBatch(on);
  else if (claim.next < to) fold(on, false);
  // Where the log has more, the last chunk may still be committing.
  else if (to < end || writes.length === 0) endBatch(on);
  else wait(on, { do: 'end' });
}

function rangeOf({ state: { work } }: Transition): BatchRange {
  if (!work || work.range === 'leaving') throw new Error('Expected a batch, got none');
  return work.range;
}

function fold(on: Transition, isAgain: boolean): void {
  const { open, writes } = on.state;
  const isStored = !open && writes.every(({ outcome }) => outcome === 'stored');
  if (!isAgain) changeWork(on, { startedAtMs: on.seen.nowMs, failedFolds: 0, clearsAfter: false });
  ask(on, { at: 'fold' }, { do: 'fold', isAgain, isStored });
}

/** Goes on where the outcomes of writes allow it. */
export function proceed(on: Transition): void {
  const { work, open } = on.state;
  const step = work?.step;
  if (step?.at !== 'room' && step?.at !== 'store') return;
  // A part may follow any write. The last chunk of a transaction may follow its own parts alone.
  const left = step.at === 'room' && (step.isPart || open) ? 1 : 0;
  const write = dropStored(on, left);
  if (write && typeof write.outcome === 'object') {
    // What was folded upon it is based on a state that was never stored, or on reads that missed it.
    const after = step.at === 'store' ? step.after : END_CHUNK;
    const lookingUp: Step = { at: 'checkpoint', write, failure: write.outcome, after };
    ask(on, lookingUp, { do: 'read checkpoint' });
  } else if (!write) {
    if (step.at === 'room') writeFolded(on, step.chunk, step.isPart);
    else continueWith(on, step.after);
    proceed(on);
  }
}

const END_CHUNK: After = { do: 'end chunk' };

/** Waits for the write of a chunk too, unless more follows and nothing is to be done first. */
function writeFolded(on: Transition, chunk: FoldedFacts, isPart: boolean): void {
  const { applied } = chunk;
  writeChunk(on, chunk, isPart);
  const isAtEnd = applied.next >= rangeOf(on).end;
  if (!isAtEnd && on.state.failures === 0 && !needsFollowUp(applied)) {
    endChunk(on);
    return;
  }
  if (isAtEnd && on.seen.turn !== 'none') {
    // The next partition folds while this one commits.
    changeWork(on, { clearsAfter: on.seen.turn !== 'own' });
    on.effects.push({ do: 'end turn' });
  }
  wait(on, { do: 'follow-up', applied });
}

/** What follows once the writes are stored. */
const FOLLOWS: { readonly [A in After as A['do']]: (on: Transition, after: A) => void } = {
  fold: on => fold(on, true),
  mend: on => fold(on, true),
  retry,
  fail: failed,
  abort: on => ask(on, { at: 'abort' }, { do: 'abort parts' }),
  'follow-up': (on, { applied }) => ask(on, { at: 'follow-up' }, { do: 'follow up', applied }),
  cut: on => endChunk(on, true),
  'end chunk': on => endChunk(on),
  end: nextChunk,
  free: answer,
  leave: on => finish(on, { do: 'left' }),
};

/** Before these the cache holds half a change, or other partitions wait for its memory. */
const CLEARED: ReadonlySet<After['do']> = new Set(['mend', 'retry', 'fail', 'cut', 'free']);

function continueWith(on: Transition, after: After): void {
  if (CLEARED.has(after.do)) on.effects.push({ do: 'clear cache' });
  const follow = FOLLOWS[after.do] as (on: Transition, after: After) => void;
  follow(on, after);
}

function retry(on: Transition, { error }: Failure): void {
  const failures = on.state.work?.failedFolds ?? 0;
  ask(on, { at: 'back-off', after: { do: 'retry', error } }, { do: 'back off', failures, error });
  changeWork(on, { failedFolds: failures + 1 });
}

export function backedOff(on: Transition, after: After): void {
  if (after.do !== 'retry') continueWith(on, after);
  else if (on.seen.isStopped) failed(on, after);
  else fold(on, true);
}

export function resolveFailedWrite(
  on: Transition,
  { checkpoint }: Report & { is: 'checkpoint' },
  { write, failure, after }: Step & { at: 'checkpoint' },
): void {
  const { from, parts } = write.transaction;
  if (isTooLarge(failure.error)) {
    const partsMax = Math.max(1, Math.floor(parts / 2));
    change(on, { sharing: { ...on.state.sharing, partsMax } });
  }
  const resolved = resolveOutcome(checkpoint, { from, to: write.to }, failure);
  const { next } = resolved.claim;
  resetTo(on, resolved.claim);
  // An earlier commit that was believed lost has taken place since, and nobody has done what follows it. The next owner
  // drains what this one leaves.
  if (next !== from.next && next !== write.to.next && after.do !== 'leave') {
    ask(on, { at: 'drain', after, failure: resolved.failure }, { do: 'drain held' });
  } else followFailed(on, after, resolved.failure);
}

/** Goes on after a write that failed, or turned out stored. */
export function followFailed(on: Transition, asked: After, failure: Failure | null): void {
  const after = followsFailure(on, asked) ? asked : END_CHUNK;
  const { failures } = on.state;
  if (!failure) {
    change(on, { failures: 0 });
    continueWith(on, after);
  } else if (after.do === 'leave' || !isTransient(failure.error)) {
    failed(on, failure);
  } else {
    change(on, { failures: failures + 1 });
    ask(on, { at: 'back-off', after }, { do: 'back off', failures, error: failure.error });
  }
}

/** Returns whether something follows also when a write failed. */
function followsFailure({ state }: Transition, after: After): boolean {
  if (after.do === 'follow-up') return state.claim.next >= after.applied.next;
  return after.do === 'end' || after.do === 'free' || after.do === 'leave';
}

export function endChunk(on: Transition, isTooMuch = false): void {
  if (on.state.work?.clearsAfter) on.effects.push({ do: 'clear cache' });
  ask(on, { at: 'heartbeat' }, { do: 'end chunk', isTooMuch });
}

function endBatch(on: Transition): void {
  const { claim, failures, ended, sharing } = on.state;
  const { turn } = on.seen;
  if (ended === 'halted') endTransaction(on);
  const isBehind = manyFollow(claim.next, rangeOf(on).end, sharing);
  const keepsTurn = isBehind && failures === 0 && (turn === 'own' || turn === 'wanted');
  change(on, { waitsForTurn: isBehind && !keepsTurn });
  if (turn !== 'none') on.effects.push({ do: keepsTurn ? 'keep turn' : 'end turn' });
  if (keepsTurn || turn === 'none' || turn === 'own') {
    answer(on);
  } else {
    // Other partitions have waited for this turn; the memory is theirs now.
    endTransaction(on);
    wait(on, { do: 'free' });
  }
}

export function answer(on: Transition): void {
  const { ended, claim } = on.state;
  const outcome = ended === 'halted' ? 'halt' : (ended ?? claim.next);
  finish(on, { do: 'answer', outcome });
}

/** Something that the batch waited for failed, and no retry follows. */
export function failed(on: Transition, { error }: Failure): void {
  if (on.state.work?.range === 'leaving') {
    finish(on, { do: 'left', error });
  } else if (isPause(error)) {
    on.effects.push({ do: 'end turn' }, { do: 'clear cache' });
    ask(on, { at: 'resume' }, { do: 'wait for resume', error });
  } else if (error instanceof FencedError) {
    change(on, { ended: 'lost' });
    on.effects.push({ do: 'report loss', error });
    answer(on);
  } else {
    finish(on, { do: 'reject', error });
  }
}

function finish(on: Transition, effect: MachineEffect): void {
  change(on, { work: null });
  on.effects.push(effect);
  if (on.state.leaves) leave(on);
}

/** None of its commits may be under way when another process claims the partition. */
export function leave(on: Transition): void {
  on.effects.push({ do: 'end turn' });
  endTransaction(on);
  const work = workOn('leaving', { at: 'store', after: { do: 'leave' } });
  change(on, { leaves: false, work });
}
