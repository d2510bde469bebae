// The machine of a claimed partition: state and input in, next state and effects out. Pure; `Pipeline` carries the
// effects out, and reports what came of them as the next inputs. Records are folded in chunks; each chunk is committed
// in one transaction, and the next is folded upon it meanwhile. Far behind, chunks share a transaction (transaction.ts).
// Its phases: docs/rules/states.md#phases-of-a-claimed-partition.
//
// While a batch is folded, `work.step` says what it waits for:
//
//   turn ─▶ fold ─▶ room ─▶ (write) ─▶ heartbeat ─▶ fold …      more follows: the write goes on by itself
//                            └─▶ store ─▶ follow-up ─▶ heartbeat  at the end of the log, and before queues are drained
//   fold ── a search ──▶ store ─▶ fold                            the store has to hold what was folded
//   fold ── it failed ─▶ store ─▶ back-off ─▶ fold                upon parts: store ─▶ abort ─▶ heartbeat
//   room, store ── a write failed ──▶ checkpoint ─▶ back-off ─▶ heartbeat
//   checkpoint ── a late commit ──▶ drain ─▶ back-off …            nobody has drained the queues that it let go on
//   any step ── a pause ──▶ resume ─▶ (answer)
import { isTransient } from '../../store/database-errors.ts';
import { TooManyRowsError } from '../../store/writing/load-documents.ts';
import {
  answer,
  backedOff,
  beginBatch,
  endChunk,
  failed,
  followFailed,
  leave,
  nextChunk,
  proceed,
  resolveFailedWrite,
  wait,
} from './batch.ts';
import {
  type After,
  ask,
  change,
  type Input,
  isUnderWay,
  type Machine,
  type MachineEffect,
  phaseOf,
  type Report,
  type Step,
  type Transition,
} from './machine-state.ts';
import { endTransaction, mayBePart, noteOutcome, resetTo } from './transaction.ts';

/** @throws when the input answers nothing that the machine asked for */
export function step(before: Machine, input: Input): readonly [Machine, readonly MachineEffect[]] {
  const on: Transition = { state: before, effects: [], seen: input.seen };
  handle(on, input);
  proceed(on);
  const [from, to] = [phaseOf(before), phaseOf(on.state)];
  if (to === 'idle' && from !== 'idle') on.effects.push({ do: 'evict rows' });
  if (to === 'sharing' && (from !== to || input.is === 'idle too long')) {
    on.effects.push({ do: 'watch idle' });
  } else if (from === 'sharing' && to !== from) on.effects.push({ do: 'unwatch idle' });
  return [on.state, on.effects];
}

/** Handlers of reports that come at a step `S`. */
type Handlers<S> = {
  readonly [R in Report as R['is']]?: (on: Transition, report: R, step: S) => void;
};

function handle(on: Transition, report: Report): void {
  const waiting = on.state.work?.step;
  const answers: Handlers<never> = waiting ? ANSWERS[waiting.at] : {};
  const handler = ANY_TIME[report.is] ?? answers[report.is];
  if (!handler) {
    const expected = Object.keys(answers).join(' or ') || 'no answer';
    const at = `phase ${phaseOf(on.state)}, step ${waiting?.at ?? 'none'}`;
    throw new Error(`Expected ${expected} in ${at}, got ${report.is}`);
  }
  (handler as (on: Transition, report: Report, step?: Step) => void)(on, report, waiting);
}

/** What may come at any time. */
const ANY_TIME: Handlers<unknown> = {
  batch: (on, { range, isLarge }) => beginBatch(on, range, isLarge),
  ready: on => change(on, { waitsForTurn: false }),
  stored: on => noteOutcome(on, 'stored'),
  'write failed': (on, { error }) => noteOutcome(on, { error }),
  'idle too long'(on) {
    const { work, writes } = on.state;
    // Until the transaction before is stored, the cache keeps its rows.
    const isCommitting = writes.some(one => one.kind !== 'part' && isUnderWay(one));
    if (!work && !isCommitting) endTransaction(on);
  },
  leave(on) {
    if (on.state.work) change(on, { leaves: true });
    else leave(on);
  },
  halt(on) {
    // The open transaction locks the checkpoint, and ends soon after a chunk that is folded now.
    if (!on.state.work) endTransaction(on);
    change(on, { ended: 'halted' });
  },
};

/** What each step waits for, besides the outcomes of writes, and what follows. */
const ANSWERS: { readonly [A in Step['at']]: Handlers<Step & { at: A }> } = {
  turn: { 'turn begun': nextChunk, failed },
  fold: {
    folded: (on, { chunk }) => ask(on, { at: 'room', chunk, isPart: mayBePart(on, chunk) }),
    'needs store'(on) {
      endTransaction(on);
      wait(on, { do: 'fold' });
    },
    'delivery broke': on => wait(on, { do: on.state.open ? 'abort' : 'mend' }),
    'fold failed': (on, { error }) => wait(on, afterFailedFold(on, error)),
  },
  room: {},
  store: {},
  checkpoint: { checkpoint: resolveFailedWrite, failed },
  drain: { 'followed up': (on, _, { after, failure }) => followFailed(on, after, failure), failed },
  'back-off': { 'backed off': (on, _, { after }) => backedOff(on, after), failed },
  abort: {
    aborted(on) {
      resetTo(on, on.state.open?.from ?? on.state.claim);
      endChunk(on);
    },
    failed,
  },
  'follow-up': { 'followed up': on => endChunk(on), failed },
  heartbeat: { 'heartbeat sent': nextChunk, failed },
  resume: { resumed: answer, failed },
  note: { 'halt stored': answer, failed },
};

/** Upon parts that are not stored, a chunk is not folded again: they are dropped with it, and single chunks follow. */
function afterFailedFold(on: Transition, error: unknown): After {
  if (on.state.open) return { do: 'abort' };
  if (error instanceof TooManyRowsError) return { do: 'cut' };
  return { do: isTransient(error) && !on.seen.isStopped ? 'retry' : 'fail', error };
}
