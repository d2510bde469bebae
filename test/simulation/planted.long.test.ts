// Planted faults: without a safeguard the simulation finds what the safeguard prevents, within some thousand seeds, mostly a few.
import test from 'ava';
import type { Planted } from './planted.ts';
import { MACHINE_FAULTS, STORE_FAULTS } from './planted.ts';
import { simulate } from './simulate.ts';

const SEEDS_MAX = 3000;

const PLANTED = [...STORE_FAULTS, ...(Object.keys(MACHINE_FAULTS) as Planted[])];

for (const fault of PLANTED) {
  // Serial, because a simulation has the clock of its process.
  test.serial(`found: ${fault}`, async t => {
    for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
      const { differences } = await simulate(seed, new Set([fault]));
      if (differences.length === 0) continue;
      t.log(`after ${seed} seeds: ${differences[0]?.slice(0, 120)}`);
      t.pass();
      return;
    }
    t.fail(`not found by ${SEEDS_MAX} seeds`);
  });
}
