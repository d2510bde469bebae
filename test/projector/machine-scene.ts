// A machine of a partition in each of its situations, and an input of each kind, without a database.

import { step } from '../../src/projector/machine/machine.ts';
import {
  type FoldedFacts,
  type Machine,
  type MachineEffect,
  newMachine,
  phaseOf,
  type Report,
  type Seen,
  SHARING_LIMITS,
} from '../../src/projector/machine/machine-state.ts';
import { FencedError, StaleError } from '../../src/store/database-errors.ts';
import type { Claim } from '../../src/store/writing/checkpoints.ts';
import { TooManyRowsError } from '../../src/store/writing/load-documents.ts';
import { PausedError } from '../../src/store/writing/parking-alarm.ts';

export const CLAIM: Claim = {
  partition: 0,
  owner: 'tests',
  epoch: 3,
  next: 0,
  fingerprints: [],
  partitions: 1,
  isHalted: false,
};

export const SEEN: Seen = { nowMs: 0, isStopped: false, turn: 'none' };

/** The log has 9000 records, and each batch and chunk 1000. */
const END = 9000;
const SIZE = 1000;

function batch(from: number, end = END, isLarge = false): Report {
  return { is: 'batch', range: { from, to: from + SIZE, end }, isLarge };
}

export function folded(next: number, facts: Partial<FoldedFacts> = {}): Report {
  const counts = { applied: SIZE, duplicates: 0, dropped: 0, unknown: 0, queued: 0 };
  const applied = {
    next,
    fingerprints: [],
    counts,
    gaps: [],
    parked: [],
    nearTypes: [],
    swept: false,
    shadowed: [],
  };
  const plain = { isPlain: true, isFarBehind: false, streams: 1, documents: 1 };
  return { is: 'folded', chunk: { applied, ...plain, ...facts } };
}

const PART = folded(SIZE, { isFarBehind: true });
const SENT: Report = { is: 'heartbeat sent' };
const STALE = new StaleError('A stream was changed');
const FAILED: Report = { is: 'write failed', error: STALE };
const STORED = { epoch: 3, fingerprints: [] };

/** An input of each kind, by name. */
export const INPUTS = {
  batch: batch(0),
  'next batch': batch(SIZE),
  'large batch': batch(0, END, true),
  'batch above a gap': batch(5 * SIZE),
  ready: { is: 'ready' },
  'turn begun': { is: 'turn begun' },
  'folded part': PART,
  folded: folded(SIZE),
  'needs store': { is: 'needs store' },
  'delivery broke': { is: 'delivery broke' },
  'fold failed': { is: 'fold failed', error: STALE },
  'fold of too much': { is: 'fold failed', error: new TooManyRowsError('Too many') },
  stored: { is: 'stored' },
  'write failed': FAILED,
  'checkpoint before': { is: 'checkpoint', checkpoint: { ...STORED, next: 0 } },
  'checkpoint after': { is: 'checkpoint', checkpoint: { ...STORED, next: SIZE } },
  'checkpoint of a late commit': { is: 'checkpoint', checkpoint: { ...STORED, next: 2 * SIZE } },
  'checkpoint within': { is: 'checkpoint', checkpoint: { ...STORED, next: SIZE / 2 } },
  'checkpoint of another': { is: 'checkpoint', checkpoint: { ...STORED, epoch: 4, next: 0 } },
  'backed off': { is: 'backed off' },
  aborted: { is: 'aborted' },
  'followed up': { is: 'followed up' },
  'heartbeat sent': SENT,
  resumed: { is: 'resumed' },
  'halt stored': { is: 'halt stored' },
  failed: { is: 'failed', error: new Error('Broken') },
  'failed by a pause': { is: 'failed', error: new PausedError('Paused') },
  'idle too long': { is: 'idle too long' },
  halt: { is: 'halt' },
  leave: { is: 'leave' },
} as const satisfies Record<string, Report>;

const COMMITTING = [batch(0), folded(SIZE), SENT];
const SHARING = [batch(0), PART, SENT];
const WAITING = [batch(0, SIZE), folded(SIZE)];

/** How to get into each situation. */
export const SITUATIONS = {
  idle: [],
  committing: COMMITTING,
  sharing: SHARING,
  halted: [{ is: 'halt' }],
  lost: [
    ...WAITING,
    { is: 'write failed', error: new FencedError('Fenced') },
    INPUTS['checkpoint of another'],
  ],
  leaving: [...COMMITTING, { is: 'leave' }],
  'folding: turn': [batch(0, END, true)],
  'folding: fold': [batch(0)],
  'folding upon parts: fold': [...SHARING, batch(SIZE)],
  'folding: room': [...COMMITTING, batch(SIZE), folded(2 * SIZE)],
  'folding: store': WAITING,
  'folding: checkpoint': [...WAITING, FAILED],
  'folding: drain': [...WAITING, FAILED, INPUTS['checkpoint of a late commit']],
  'folding: drain within': [...WAITING, FAILED, INPUTS['checkpoint within']],
  'folding: back-off': [...WAITING, FAILED, INPUTS['checkpoint before']],
  'folding: abort': [...SHARING, { is: 'stored' }, batch(SIZE), INPUTS['fold failed']],
  'folding: follow-up': [...WAITING, { is: 'stored' }],
  'folding: heartbeat': [batch(0), folded(SIZE)],
  'folding: resume': [...WAITING, { is: 'stored' }, INPUTS['failed by a pause']],
  'folding: note': [batch(5 * SIZE), batch(5 * SIZE)],
} as const satisfies Record<string, readonly Report[]>;

export function machineOf(events: readonly Report[], seen: Partial<Seen> = {}): Machine {
  let machine = newMachine(CLAIM, 0, SHARING_LIMITS);
  for (const event of events) [machine] = step(machine, { ...event, seen: { ...SEEN, ...seen } });
  return machine;
}

/** Returns where a machine is: its phase, step and offset. */
export function placeOf(machine: Machine): string {
  const { work, claim, open, writes } = machine;
  const at = work ? ` ${work.step.at}` : '';
  const under = writes.map(
    ({ kind, outcome }) => `${kind} ${typeof outcome === 'object' ? 'failed' : outcome}`,
  );
  return `${phaseOf(machine)}${at} at ${claim.next}${open ? ` open ${open.parts}` : ''} [${under.join(', ')}]`;
}

export function effectsText(effects: readonly MachineEffect[]): string {
  return effects.map(effectText).join(', ');
}

function effectText(effect: MachineEffect): string {
  switch (effect.do) {
    case 'take':
      return `take ${effect.what}`;
    case 'send':
      return `send ${effect.write.kind}`;
    case 'answer':
      return `answer ${effect.outcome}`;
    case 'fold':
      return `fold${effect.isAgain ? ' again' : ''}${effect.isStored ? '' : ' upon unstored'}`;
    case 'end chunk':
      return effect.isTooMuch ? 'cut chunk' : 'end chunk';
    default:
      return effect.do;
  }
}
