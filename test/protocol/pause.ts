// A model of the parking alarm: pauses and resumes of a generation of two partitions. The alarm, each checkpoint's mark
// and the resume are separate writes, and a process may be killed between any two.
import { resolveOutcome } from '../../src/projector/machine/transaction.ts';
import { FencedError } from '../../src/store/database-errors.ts';
import type { Claim } from '../../src/store/writing/checkpoints.ts';
import { PausedError } from '../../src/store/writing/parking-alarm.ts';
import { copy, type Model, type Step } from './explore.ts';

/** The safeguards of a pause; a model without one of them must find what it guards against. */
export type PauseSafeguard =
  /** A mark has the number of its pause, so that a late resume leaves the marks of the next pause. */
  | 'numbered marks'
  /** An error pauses only if no pause came after it. */
  | 'pause once'
  /** A process that waits removes the mark of an ended pause from its checkpoint. */
  | 'free';

interface Checkpoint {
  epoch: number;
  next: number;
  mark: number | null;
  /** The last pause that marked it. */
  reached: number;
}

interface Owner {
  at: 'runs' | 'was fenced' | 'pauses' | 'reads the alarm' | 'marks' | 'waits' | 'frees';
  epoch: number;
  /** Number of pauses that its error, or its look at the alarm, found. */
  pauses: number;
  unmarked: number[];
  /** It has found the pause and marked the other checkpoints. */
  knows: boolean;
}

interface PauseState {
  alarm: { isPaused: boolean; pauses: number };
  checkpoints: Checkpoint[];
  owners: Owner[];
  /** The number of the pause that a resume under way has ended. */
  resuming: number | null;
  wrong: string | null;
  left: { alarms: number; resumes: number; kills: number };
}

const PARTITIONS = [0, 1];
const RECORDS = 2;

/** How often each of these may happen. */
export type PauseLimits = PauseState['left'];

export function pauseModel(limits: PauseLimits, without?: PauseSafeguard): Model<PauseState> {
  return {
    init: () => [first(limits)],
    next(state) {
      const steps: Step<PauseState>[] = [];
      const go = (label: string, act: (next: PauseState) => void) => {
        const next = copy(state);
        act(next);
        steps.push([label, next]);
      };
      for (const partition of PARTITIONS) ownerSteps(state, partition, { go, without });
      resumeSteps(state, { go, without });
      return steps;
    },
    invariant: ({ wrong }) => wrong,
    quiescent,
  };
}

function first(left: PauseLimits): PauseState {
  return {
    alarm: { isPaused: false, pauses: 0 },
    checkpoints: PARTITIONS.map(() => ({ epoch: 1, next: 0, mark: null, reached: 0 })),
    owners: PARTITIONS.map(() => ownerAt('runs', 1)),
    resuming: null,
    wrong: null,
    left,
  };
}

function ownerAt(at: Owner['at'], epoch: number): Owner {
  return { at, epoch, pauses: 0, unmarked: [], knows: false };
}

function move(own: Owner, at: Owner['at']): void {
  own.at = at;
}

interface Stepping {
  readonly go: (label: string, act: (next: PauseState) => void) => void;
  readonly without: PauseSafeguard | undefined;
}

function of<T>(list: readonly T[], partition: number): T {
  const found = list[partition];
  if (!found) throw new Error(`There is no partition ${partition}`);
  return found;
}

function ownerSteps(state: PauseState, partition: number, { go, without }: Stepping): void {
  const { at, unmarked } = of(state.owners, partition);
  const step = (label: string, act: (next: PauseState, own: Owner, mine: Checkpoint) => void) => {
    const isFault = label.startsWith('!');
    go(`${isFault ? '!' : ''}P${partition} ${label.replace('! ', '')}`, next =>
      act(next, of(next.owners, partition), of(next.checkpoints, partition)),
    );
  };
  if (at === 'runs') chunkSteps(state, partition, step);
  if (at === 'was fenced') step('reads its checkpoint', (_, own, mine) => answer(own, mine));
  if (at === 'pauses') step('pauses', (next, own) => pause(next, own, without));
  if (at === 'reads the alarm') step('reads the alarm', readAlarm);
  if (at === 'marks') {
    for (const other of unmarked) step(`marks ${other}`, (next, own) => mark(next, own, other));
    if (unmarked.length === 0) step('has marked all', (_, own) => move(own, 'waits'));
  }
  if (at === 'waits') step('polls', poll);
  const isFree = without !== 'free' || of(state.checkpoints, partition).mark === null;
  if (at === 'frees' && isFree) {
    step('goes on', (_, own, mine) => {
      unmark(mine, own.pauses, without);
      own.at = 'runs';
    });
  }
  if (state.left.kills > 0 && at !== 'runs') {
    step('! is killed, and the next owner claims', (next, own, mine) => {
      next.left.kills -= 1;
      claim(own, mine);
    });
  }
}

type StepOf = (
  label: string,
  act: (next: PauseState, own: Owner, mine: Checkpoint) => void,
) => void;

function chunkSteps(state: PauseState, partition: number, step: StepOf): void {
  const { next: offset, mark: marked } = of(state.checkpoints, partition);
  if (offset >= RECORDS) return;
  if (marked !== null) {
    step('is fenced', (_, own) => move(own, 'was fenced'));
    return;
  }
  step('applies a chunk', (next, _, mine) => {
    const { alarm } = next;
    mine.next += 1;
    if (alarm.isPaused && mine.reached === alarm.pauses)
      next.wrong = `Partition ${partition} goes on in a pause that had stopped it`;
  });
  if (state.left.alarms === 0) return;
  if (state.alarm.isPaused) {
    step('is to park in a pause', (_, own) => move(own, 'waits'));
  } else {
    step('! parks too many', (next, own) => {
      next.left.alarms -= 1;
      own.pauses = next.alarm.pauses;
      own.at = 'pauses';
    });
  }
}

/** A fenced owner looks why. */
function answer(own: Owner, mine: Checkpoint): void {
  const claimed: Claim = { ...CLAIM, epoch: own.epoch, next: mine.next };
  const range = { from: claimed, to: { ...claimed, next: mine.next + 1 } };
  const { epoch, next, mark: paused } = mine;
  const checkpoint = { epoch, next, fingerprints: [], ...(paused !== null && { paused }) };
  const error = resolveOutcome(checkpoint, range, { error: new FencedError('Fenced') }).failure
    ?.error;
  if (error instanceof PausedError) own.at = 'waits';
  else if (error instanceof FencedError) claim(own, mine);
  else own.at = 'runs';
}

const CLAIM: Omit<Claim, 'epoch' | 'next'> = {
  partition: 0,
  owner: '',
  fingerprints: [],
  partitions: PARTITIONS.length,
  isHalted: false,
};

function claim(own: Owner, mine: Checkpoint): void {
  mine.epoch += 1;
  Object.assign(own, ownerAt('waits', mine.epoch));
}

function pause(next: PauseState, own: Owner, without?: PauseSafeguard): void {
  const { alarm } = next;
  const isDue = alarm.pauses === own.pauses;
  if (!alarm.isPaused && (isDue || without === 'pause once')) {
    if (!isDue) next.wrong = 'An error of before a resume pauses again';
    Object.assign(alarm, { isPaused: true, pauses: alarm.pauses + 1 });
  }
  own.at = 'reads the alarm';
}

function readAlarm({ alarm, checkpoints }: PauseState, own: Owner): void {
  own.at = alarm.isPaused ? 'marks' : 'waits';
  if (!alarm.isPaused) return;
  own.pauses = alarm.pauses;
  own.unmarked = PARTITIONS.filter(one => of(checkpoints, one).mark !== alarm.pauses);
}

function mark({ checkpoints }: PauseState, own: Owner, partition: number): void {
  const marked = of(checkpoints, partition);
  marked.mark = Math.max(marked.mark ?? 0, own.pauses);
  marked.reached = marked.mark;
  own.unmarked = own.unmarked.filter(one => one !== partition);
}

/** An owner that waits marks the other checkpoints once: the process that paused may have been killed. */
function poll({ alarm }: PauseState, own: Owner): void {
  if (!alarm.isPaused) Object.assign(own, { at: 'frees', knows: false, pauses: alarm.pauses });
  else if (!own.knows) Object.assign(own, { at: 'reads the alarm', knows: true });
}

function unmark(marked: Checkpoint, pauses: number, without?: PauseSafeguard): void {
  if (marked.mark === null) return;
  if (marked.mark <= pauses || without === 'numbered marks') marked.mark = null;
}

function resumeSteps(state: PauseState, { go, without }: Stepping): void {
  if (state.resuming !== null) {
    go('the resume removes the marks', next => {
      for (const marked of next.checkpoints) unmark(marked, next.resuming ?? 0, without);
      next.resuming = null;
    });
    if (state.left.kills > 0) {
      go('!the resume is killed', next => {
        next.left.kills -= 1;
        next.resuming = null;
      });
    }
  } else if (state.alarm.isPaused && state.left.resumes > 0) {
    go('!an operator resumes', next => {
      next.left.resumes -= 1;
      next.resuming = next.alarm.pauses;
      next.alarm.isPaused = false;
    });
  }
}

function quiescent({ alarm, checkpoints }: PauseState): string | null {
  const isAtEnd = ({ next }: Checkpoint) => next >= RECORDS;
  if (!alarm.isPaused)
    return checkpoints.every(isAtEnd) ? null : 'Not paused, but a partition stands still';
  const stops = (one: Checkpoint) => one.mark === alarm.pauses || isAtEnd(one);
  return checkpoints.every(stops) ? null : 'Paused, but a partition is not stopped';
}
