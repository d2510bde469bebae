// The machine of a claimed partition: state and input in, next state and effects out. Pure; `Pipeline` carries the
// effects out, and reports what came of them as the next inputs. Records are folded in chunks; each chunk is committed
// in one transaction, and the next is folded upon it meanwhile. Far behind, chunks share a transaction (transaction.ts).
//
//              a batch                folded                   stored
//      idle ────────────▶ folding ────────────▶ committing ────────────▶ idle
//                         ▲  ▲ │                 ▲   │  │
//                         │  └─┼─ the next batch ┼───┘  └─ failed: back to the checkpoint, then single chunks
//          the next batch │    ▼ many follow     │
//                         └─ sharing ────────────┘ after 6 parts, 20 s, much in memory, a second without records
//
//      any phase ── the log lost records ──▶ halted        any phase ── another process claimed it ──▶ lost
//
// While a batch is folded, `work.step` says what it waits for:
//
//   turn ─▶ fold ─▶ room ─▶ (write) ─▶ heartbeat ─▶ fold …      more follows: the write goes on by itself
//                            └─▶ store ─▶ follow-up ─▶ heartbeat  at the end of the log, and before queues are drained
//   fold ── a search ──▶ store ─▶ fold                            the store has to hold what was folded
//   fold ── it failed ─▶ store ─▶ back-off ─▶ fold                upon parts: store ─▶ abort ─▶ heartbeat
//   room, store ── a write failed ──▶ checkpoint ─▶ back-off ─▶ heartbeat
//   any step ── a pause ──▶ store ─▶ resume ─▶ (answer)
import {
  afterFailedFold,
  answer,
  begin,
  endChunk,
  fail,
  goOn,
  leave,
  lookUp,
  makeRoom,
  nextChunk,
  proceed,
  wait,
} from './batch.ts';
import type { Effect, Event, Input, Machine, Step } from './machine-state.ts';
import {
  change,
  endTransaction,
  goBack,
  isUnderWay,
  noteOutcome,
  type On,
  phaseOf,
} from './transaction.ts';

/** Returns the machine of a partition that was claimed. */
export function newMachine(claimed: Pick<Machine, 'claim' | 'sharing' | 'waitsForTurn'>): Machine {
  return {
    ...claimed,
    open: null,
    writes: [],
    work: null,
    ended: null,
    leaves: false,
    failures: 0,
    sharesFrom: 0,
    partsMax: claimed.sharing.partsMax,
    askedAgain: null,
  };
}

/** @throws when the input answers nothing that the machine asked for */
export function step(before: Machine, input: Input): readonly [Machine, readonly Effect[]] {
  const on: On = { state: before, effects: [], seen: input.seen };
  receive(on, input);
  proceed(on);
  const [from, to] = [phaseOf(before), phaseOf(on.state)];
  if (to === 'idle' && from !== 'idle') on.effects.push({ do: 'evict rows' });
  if (to === 'sharing' && (from !== to || input.is === 'idle too long')) {
    on.effects.push({ do: 'watch idle' });
  } else if (from === 'sharing' && to !== from) on.effects.push({ do: 'unwatch idle' });
  return [on.state, on.effects];
}

function receive(on: On, input: Event): void {
  switch (input.is) {
    case 'batch':
      return begin(on, input.range, input.isLarge);
    case 'ready':
      return change(on, { waitsForTurn: false });
    case 'stored':
      return noteOutcome(on, 'stored');
    case 'write failed':
      return noteOutcome(on, { error: input.error });
    case 'idle too long': {
      // Until the transaction before is stored, the cache keeps its rows.
      const isCommitting = on.state.writes.some(one => one.kind !== 'part' && isUnderWay(one));
      return phaseOf(on.state) === 'sharing' && !isCommitting ? endTransaction(on) : undefined;
    }
    case 'leave':
      return on.state.work ? change(on, { leaves: true }) : leave(on);
    case 'halt':
      // The open transaction locks the checkpoint, and ends soon after a chunk that is folded now.
      if (!on.state.work) endTransaction(on);
      return change(on, { ended: 'halted' });
    default:
      return answered(on, input);
  }
}

/** What each step waits for, besides the outcomes of writes. Any of them may fail. */
const ANSWERS: Readonly<Record<Step['at'], readonly Event['is'][]>> = {
  turn: ['turn begun', 'failed'],
  fold: ['folded', 'searches', 'broken', 'fold failed'],
  room: [],
  store: [],
  checkpoint: ['checkpoint', 'failed'],
  'back-off': ['rested', 'failed'],
  abort: ['aborted', 'failed'],
  'follow-up': ['followed up', 'failed'],
  heartbeat: ['beaten', 'failed'],
  resume: ['resumed', 'failed'],
  note: ['noted', 'failed'],
};

function answered(on: On, input: Event): void {
  const { work } = on.state;
  const expected = work ? ANSWERS[work.step.at] : [];
  if (!work || !expected.includes(input.is)) {
    const at = `in phase ${phaseOf(on.state)}, step ${work?.step.at ?? 'none'}`;
    throw new Error(`Expected ${expected.join(' or ') || 'no answer'} ${at}, got ${input.is}`);
  }
  const { step } = work;
  switch (input.is) {
    case 'turn begun':
    case 'beaten':
      return nextChunk(on);
    case 'folded':
      return makeRoom(on, work, input.chunk);
    case 'searches':
      endTransaction(on);
      return wait(on, { do: 'fold' });
    case 'broken':
      return wait(on, { do: on.state.open ? 'abort' : 'mend' });
    case 'fold failed':
      return wait(on, afterFailedFold(on, input.error));
    case 'checkpoint':
      return step.at === 'checkpoint' ? lookUp(on, step, input.checkpoint) : undefined;
    case 'rested':
      return step.at === 'back-off' ? goOn(on, step.then) : undefined;
    case 'aborted':
      goBack(on, on.state.open?.from ?? on.state.claim);
      return endChunk(on);
    case 'followed up':
      return endChunk(on);
    case 'resumed':
    case 'noted':
      return answer(on);
    case 'failed':
      return fail(on, input.error);
  }
}
