// A client that follows /changes has what the budget has whenever no more follows, and starts again only where it must.
import test from 'ava';
import { type ChangesHole, type ChangesScene, changesModel } from './changes.ts';
import { explore } from './explore.ts';

const ROWS = ['Ra', 'Rb', 'Da', 'P', 'Dp'] as const;

const SCENES = {
  pages: { alphabet: ROWS, events: 4, switches: 0 },
  'two switches': { alphabet: ROWS, events: 3, switches: 2 },
  'a step back': {
    alphabet: ['Ra', 'Da', 'P'],
    events: 4,
    switches: 2,
    limits: [1],
    stepsBack: true,
    refuses: true,
  },
  'a version that knows a type': {
    alphabet: ['Ra', 'U'],
    events: 3,
    switches: 2,
    first: { version: 3, knowsU: false },
    second: { version: 4 },
    refuses: true,
  },
  'a skip in a new build alone': {
    alphabet: ['Ra', 'K'],
    events: 3,
    switches: 2,
    second: { skipsK: true },
    refuses: true,
  },
  'a skip in both generations': {
    alphabet: ['Ra', 'Da', 'K'],
    events: 4,
    switches: 2,
    first: { skipsK: true },
    second: { skipsK: true },
  },
} as const satisfies Record<string, ChangesScene>;

for (const [name, scene] of Object.entries(SCENES)) {
  test(`${name}: no change is missed`, t => {
    const { states, violation } = explore(changesModel(scene));
    t.is(violation, null);
    t.log(`${states} states`);
  });
}

const HOLES: readonly (readonly [ChangesHole, keyof typeof SCENES])[] = [
  ['reading', 'a version that knows a type'],
  ['decisions', 'a skip in a new build alone'],
  ['position', 'a step back'],
];

for (const [hole, scene] of HOLES) {
  test(`without the ${hole} in the cursor, changes are missed: ${scene}`, t => {
    const { violation } = explore(changesModel(SCENES[scene], hole));
    t.regex(violation?.what ?? '', /^at \d the client has /);
    t.log(violation?.trace.join('; '));
  });
}
