// Decisions of operators while two generations follow one log: searched breadth first, and again with each hole opened.

import { logOf } from './queue-log.ts';
import type { QueueContext } from './queue-state.ts';
import { type Hole, searchAll } from './search-all.ts';
import { type Missed, type PairContext, twoGenerations } from './two-generations.ts';

const skip = { name: 'skip' } as const;
const missing = { name: 'skip', missing: true } as const;

function pair(
  log: string,
  one: Partial<QueueContext>,
  other: Partial<QueueContext> = {},
): PairContext {
  const shared = { log: logOf(log), chunkMax: 3 };
  return {
    generations: [
      { ...shared, ...one },
      { ...shared, ...other },
    ],
  };
}

const SCENES = {
  'a number that comes late': pair('space1 named3 added2', { operators: [missing] }),
  'a number that never comes': pair('space1 named3', { operators: [missing], max: { kill: 1 } }),
  'an invalid event': pair('space1 bad2', { operators: [skip], max: { kill: 1 } }),
  'an invalid event, drained at once': pair(
    'space1 bad2',
    { operators: [skip] },
    { operators: [{ name: 'retry' }] },
  ),
  'a deletion that comes late': pair('budget1 renamed3 deleted2', { operators: [missing] }),
} as const satisfies Readonly<Record<string, PairContext>>;

const HOLES: readonly Hole<keyof typeof SCENES, Missed>[] = [
  { scene: 'a number that comes late', without: ['applied'], what: /^g2: the space is / },
  { scene: 'a number that comes late', without: ['held'], what: /^g2: the space is / },
  {
    scene: 'an invalid event',
    without: ['held'],
    what: /^g2: held as parked, though its queue may go on/,
  },
  {
    scene: 'an invalid event, drained at once',
    without: ['counted'],
    what: /^g2: held as parked, though its queue may go on/,
  },
  {
    scene: 'a deletion that comes late',
    without: ['applied'],
    what: /^g2: a deletion counts that was given up/,
  },
];

searchAll(twoGenerations, SCENES, HOLES);
