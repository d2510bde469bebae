// The model of waits: as it is no request sleeps too long, and each mend that is left out makes one.
import test from 'ava';
import { explore } from './explore.ts';
import { type Mend, type Scene, waitsModel } from './waits.ts';

const SCENE: Scene = { awaited: 2, switches: 2 };

for (const switches of [0, 1, 2]) {
  test(`waits: ${switches} switches`, t => {
    const { violation, quiescent } = explore(waitsModel({ ...SCENE, switches }));
    t.is(violation, null);
    t.true(quiescent > 0);
  });
}

const HOLES: readonly (readonly [Mend, string])[] = [
  ['time first', 'a request sleeps until its time is over, though the position is reached'],
  ['time of a majority', 'a request sleeps until its time is over, though the position is reached'],
];

for (const [without, what] of HOLES) {
  test(`waits: without ${without}, ${what}`, t => {
    t.is(explore(waitsModel({ ...SCENE, without })).violation?.what, what);
  });
}
