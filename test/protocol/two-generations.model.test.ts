// Decisions of operators while two generations follow one log: searched breadth first, and again with each hole opened.
import test from 'ava';
import { explore } from './explore.ts';
import { logOf } from './queue-log.ts';
import type { QueueContext } from './queue-state.ts';
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

for (const [name, scene] of Object.entries(SCENES)) {
  test(`the model has no violation: ${name}`, t => {
    const { violation, states } = explore(twoGenerations(scene));
    t.is(violation, null, JSON.stringify(violation));
    t.log(`${states} states`);
  });
}

interface Hole {
  readonly scene: keyof typeof SCENES;
  readonly without: readonly Missed[];
  readonly what: RegExp;
}

const HOLES: readonly Hole[] = [
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

for (const { scene, without, what } of HOLES) {
  test(`the model finds the hole without ${without.join(', ')}: ${scene}`, t => {
    const { violation } = explore(twoGenerations({ ...SCENES[scene], without }));
    t.regex(violation?.what ?? '', what);
  });
}
