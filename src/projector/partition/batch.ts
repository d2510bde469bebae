// How the machine of a partition works through a batch: turn, chunks, and what follows when a step fails.
import { FencedError, isTooLarge, isTransient } from '../../read-store/database-errors.ts';
import { TooManyDocumentsError } from '../../read-store/load-documents.ts';
import type { Applied } from '../fold/chunk.ts';
import { isPause } from '../pause.ts';
import type {
  After,
  BatchRange,
  Effect,
  FoldedFacts,
  Step,
  Stored,
  Work,
} from './machine-state.ts';
import {
  change,
  endTransaction,
  goBack,
  mayBePart,
  type On,
  phaseOf,
  resolve,
  takeOutcomes,
  writeChunk,
} from './transaction.ts';
import { manyFollow } from './turns.ts';

export function begin(on: On, range: BatchRange, isLarge: boolean): void {
  const { work, ended, claim, askedAgain } = on.state;
  if (work) throw new Error(`Expected no batch in phase ${phaseOf(on.state)}, got one`);
  const step: Step = { at: 'turn' };
  change(on, { work: { range, step, startedAtMs: 0, failedFolds: 0, clearsAfter: false } });
  if (ended !== null) return answer(on);
  if (range.from <= claim.next) {
    if (!isLarge) return nextChunk(on);
    return ask(on, step, { do: 'begin turn' });
  }
  // A log that begins above the expected offset twice has a hole, and nothing is applied beyond it.
  if (askedAgain !== claim.next) {
    change(on, { askedAgain: claim.next });
    return answer(on);
  }
  endTransaction(on);
  change(on, { ended: 'halted' });
  ask(on, { at: 'note' }, { do: 'refuse gap' });
}

/** Moves the batch on to a step, and asks for what that step waits for. */
function ask(on: On, step: Step, effect?: Effect): void {
  const { work } = on.state;
  if (work) change(on, { work: { ...work, step } });
  if (effect) on.effects.push(effect);
}

/** Waits until everything that was folded is stored. */
export function wait(on: On, then: After): void {
  ask(on, { at: 'store', then, next: on.state.claim.next });
}

export function nextChunk(on: On): void {
  const { claim, ended, writes } = on.state;
  const { from, to, end } = rangeOf(on);
  if (on.seen.isStopped || claim.next < from || ended === 'halted') return endBatch(on);
  if (claim.next < to) return fold(on, false);
  // Where the log has more, the last chunk may still be committing.
  if (to < end || writes.length === 0) return endBatch(on);
  wait(on, { do: 'end' });
}

function rangeOf({ state: { work } }: On): BatchRange {
  if (!work || work.range === 'leaving') throw new Error('Expected a batch, got none');
  return work.range;
}

function fold(on: On, isAgain: boolean): void {
  const { open, writes, work } = on.state;
  const isStored = !open && writes.every(({ outcome }) => outcome === 'stored');
  if (work && !isAgain) {
    const begun = { startedAtMs: on.seen.nowMs, failedFolds: 0, clearsAfter: false };
    change(on, { work: { ...work, ...begun } });
  }
  ask(on, { at: 'fold' }, { do: 'fold', isAgain, isStored });
}

/** Upon parts that are not stored, a chunk is not folded again: they are dropped with it, and single chunks follow. */
export function afterFailedFold(on: On, error: unknown): After {
  if (on.state.open) return { do: 'abort' };
  if (error instanceof TooManyDocumentsError) return { do: 'cut' };
  return { do: isTransient(error) && !on.seen.isStopped ? 'retry' : 'fail', error };
}

export function makeRoom(on: On, { startedAtMs }: Work, chunk: FoldedFacts): void {
  ask(on, { at: 'room', chunk, isPart: mayBePart(on, chunk, startedAtMs) });
}

/** Goes on where the outcomes of writes allow it. */
export function proceed(on: On): void {
  const { work, open, claim } = on.state;
  if (!work) return;
  const { step } = work;
  if (step.at !== 'room' && step.at !== 'store') return;
  // A part may follow any write. The last chunk of a transaction may follow its own parts alone.
  const left = step.at === 'room' && (step.isPart || open) ? 1 : 0;
  const write = takeOutcomes(on, left);
  if (write && typeof write.outcome === 'object') {
    // What was folded upon it is based on a state that was never stored, or on reads that missed it.
    const { then, next } = step.at === 'store' ? step : { then: END_CHUNK, next: claim.next };
    const failure = write.outcome;
    ask(on, { at: 'checkpoint', write, failure, then, next }, { do: 'read checkpoint' });
  } else if (!write) {
    if (step.at === 'store') goOn(on, step.then);
    else writeFolded(on, work, step);
    proceed(on);
  }
}

const END_CHUNK: After = { do: 'end chunk' };

/** Waits for the write of a chunk too, unless more follows and nothing is to be done first. */
function writeFolded(on: On, work: Work, { chunk, isPart }: Step & { at: 'room' }): void {
  writeChunk(on, chunk, { isPart, startedAtMs: work.startedAtMs });
  const isAtEnd = chunk.applied.next >= rangeOf(on).end;
  if (!isAtEnd && on.state.failures === 0 && !needsFollowUp(chunk.applied)) return endChunk(on);
  if (isAtEnd && on.seen.turn !== 'none') {
    // The next partition folds while this one commits.
    change(on, { work: { ...work, clearsAfter: on.seen.turn !== 'own' } });
    on.effects.push({ do: 'end turn' });
  }
  wait(on, { do: 'follow-up' });
}

/** Returns whether work follows the commit: then it is waited for. */
function needsFollowUp({ gaps, shadowed, swept, counts }: Applied): boolean {
  return gaps.length > 0 || shadowed.length > 0 || swept || counts.parked > 0;
}

export function goOn(on: On, then: After): void {
  const { work } = on.state;
  switch (then.do) {
    case 'fold':
      return fold(on, true);
    case 'mend':
      on.effects.push({ do: 'clear cache' });
      return fold(on, true);
    case 'retry': {
      const { failedFolds = 0 } = work ?? {};
      const { error } = then;
      on.effects.push({ do: 'clear cache' });
      if (work) change(on, { work: { ...work, failedFolds: failedFolds + 1 } });
      const step: Step = { at: 'back-off', then: { do: 'fold or fail', error }, next: 0 };
      return ask(on, step, { do: 'back off', failures: failedFolds, error });
    }
    case 'fold or fail':
      return on.seen.isStopped ? fail(on, then.error) : fold(on, true);
    case 'fail':
      on.effects.push({ do: 'clear cache' });
      return fail(on, then.error);
    case 'abort':
      return ask(on, { at: 'abort' }, { do: 'abort parts' });
    case 'cut':
      on.effects.push({ do: 'clear cache' });
      return endChunk(on, true);
    case 'follow-up':
      return ask(on, { at: 'follow-up' }, { do: 'follow up' });
    case 'end chunk':
      return endChunk(on);
    case 'end':
      return nextChunk(on);
    case 'free':
      on.effects.push({ do: 'clear cache' });
      return answer(on);
    case 'leave':
      return finish(on, { do: 'left' });
  }
}

export function lookUp(on: On, step: Step & { at: 'checkpoint' }, checkpoint: Stored | null): void {
  const { write, failure, then, next } = step;
  const { from, parts } = write.transaction;
  if (isTooLarge(failure.error)) change(on, { partsMax: Math.max(1, Math.floor(parts / 2)) });
  const resolved = resolve(checkpoint, { from, to: write.to }, failure);
  goBack(on, resolved.claim);
  const isFolded = ['end', 'free', 'leave'].includes(then.do);
  const isStored = then.do === 'follow-up' && resolved.claim.next >= next;
  const after = isFolded || isStored ? then : END_CHUNK;
  if (!resolved.failure) {
    change(on, { failures: 0 });
    return goOn(on, after);
  }
  const { error } = resolved.failure;
  const { failures } = on.state;
  if (then.do === 'leave' || !isTransient(error)) return fail(on, error);
  change(on, { failures: failures + 1 });
  ask(on, { at: 'back-off', then: after, next }, { do: 'back off', failures, error });
}

export function endChunk(on: On, isTooMuch = false): void {
  if (on.state.work?.clearsAfter) on.effects.push({ do: 'clear cache' });
  ask(on, { at: 'heartbeat' }, { do: 'end chunk', isTooMuch });
}

function endBatch(on: On): void {
  const { claim, failures, ended } = on.state;
  const { turn } = on.seen;
  if (ended === 'halted') endTransaction(on);
  const isBehind = manyFollow(claim.next, rangeOf(on).end);
  const goesOn = isBehind && failures === 0 && (turn === 'own' || turn === 'wanted');
  change(on, { waitsForTurn: isBehind && !goesOn });
  if (turn !== 'none') on.effects.push({ do: goesOn ? 'keep turn' : 'end turn' });
  if (goesOn || turn === 'none' || turn === 'own') return answer(on);
  // Other partitions have waited for this turn; the memory is theirs now.
  endTransaction(on);
  wait(on, { do: 'free' });
}

export function answer(on: On): void {
  const { ended, claim } = on.state;
  const outcome = ended === 'halted' ? 'halt' : (ended ?? claim.next);
  finish(on, { do: 'answer', outcome });
}

export function fail(on: On, error: unknown): void {
  if (on.state.work?.range === 'leaving') return finish(on, { do: 'left', error });
  if (isPause(error)) {
    on.effects.push({ do: 'end turn' }, { do: 'clear cache' });
    return ask(on, { at: 'resume' }, { do: 'wait for resume', error });
  }
  if (!(error instanceof FencedError)) return finish(on, { do: 'reject', error });
  change(on, { ended: 'lost' });
  on.effects.push({ do: 'report loss', error });
  answer(on);
}

function finish(on: On, effect: Effect): void {
  change(on, { work: null });
  on.effects.push(effect);
  if (on.state.leaves) leave(on);
}

/** None of its commits may be under way when another process claims the partition. */
export function leave(on: On): void {
  const none = { startedAtMs: 0, failedFolds: 0, clearsAfter: false };
  on.effects.push({ do: 'end turn' });
  endTransaction(on);
  const step: Step = { at: 'store', then: { do: 'leave' }, next: on.state.claim.next };
  change(on, { leaves: false, work: { range: 'leaving', step, ...none } });
}
