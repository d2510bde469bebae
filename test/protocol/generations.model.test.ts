// The model of generations: as it is it has no violation, and each mend that is left out has one.
import test from 'ava';
import { explore } from './explore.ts';
import { generationsModel } from './generations.ts';
import type { Mend, Scene } from './generations-steps.ts';

const SCENES: Readonly<Record<string, Scene>> = {
  'an empty database': { start: 'empty', log: [1], versions: [1, 2], minutes: 1 },
  'an upgrade beside a gap': { start: 'upgrade', log: [1, 3, 2], versions: [1, 2], minutes: 0 },
  'a restart': { start: 'upgrade', log: [], versions: [2], minutes: 1, restarts: 1 },
  'a rollback at the end of the window': {
    ...{ start: 'window', log: [1], versions: [1, 2], commands: ['rollback'] },
    ...{ minutes: 2, rollbackMinutes: 2 },
  },
  'a rollback that is killed': {
    ...{ start: 'window', log: [1, 2], versions: [1, 2], commands: ['rollback'] },
    ...{ minutes: 0, rollbackMinutes: 5, restarts: 1 },
  },
  'two verifiers': {
    ...{ start: 'upgrade', log: [], versions: [2, 2], minutes: 1, flawed: 'g2' },
    rollbackMinutes: 5,
  },
  commands: {
    ...{ start: 'upgrade', log: [1], versions: [1], minutes: 1, rollbackMinutes: 5 },
    commands: ['rebuild', 'abandon', 'rollback'],
  },
};

for (const [name, scene] of Object.entries(SCENES)) {
  test(`generations: ${name}`, t => {
    t.is(explore(generationsModel(scene)).violation, null);
  });
}

const HOLES: readonly (readonly [Mend, string, string])[] = [
  [
    'drop by the registry',
    'a rollback at the end of the window',
    'the active generation is dropped',
  ],
  ['lease guard', 'two verifiers', 'the active generation is failed: nobody feeds it'],
  ['locked heads', 'an upgrade beside a gap', 'a reader steps back'],
  ['locked positions', 'an empty database', 'a reader steps back'],
  ['holds end', 'a restart', 'nobody ends the hold'],
  ['holds end', 'a rollback that is killed', 'nobody ends the hold'],
  ['claim guard', 'a rollback at the end of the window', 'a dropped generation is back'],
  [
    "database's clock",
    'a rollback at the end of the window',
    'a reader loses its generation within a minute',
  ],
];

for (const [without, name, what] of HOLES) {
  test(`generations: ${name} without ${without}, ${what}`, t => {
    const scene = { ...(SCENES[name] as Scene), without };
    t.is(explore(generationsModel(scene)).violation?.what, what);
  });
}
