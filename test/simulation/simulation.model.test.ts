// Seeded simulations of a partition: processes, a store and a log in memory, with everything that can go wrong between
// them. The product's own claim, machine, fold and drain run on them. `SIMULATION_SEEDS=1-10000` plays other seeds.
import test from 'ava';
import { chosenSeeds } from './seeds.ts';
import { simulate } from './simulate.ts';

/** What the seeds must reach together, or the simulation proves less than it seems to. */
const SOMETIMES = [
  'big changes',
  'drains',
  'failed commands',
  'fences',
  'halts',
  'held: change',
  'held: gap',
  'held: parked',
  'kills',
  'late commits',
  'rebalances',
  'refused: StaleError',
  'shared transactions',
  'step-downs',
  'steps back',
  'strays',
  'unknown commits',
];

// Serial, because a simulation has the clock of its process.
test.serial('whatever goes wrong, each event counts once', async t => {
  const reached = new Map<string, number>();
  for (const seed of chosenSeeds()) {
    const run = await simulate(seed);
    t.deepEqual(run.differences, [], `SIMULATION_SEEDS=${seed}-${seed}`);
    for (const [what, count] of run.reached) reached.set(what, (reached.get(what) ?? 0) + count);
  }
  for (const what of SOMETIMES) t.true((reached.get(what) ?? 0) > 0, `${what} was never reached`);
  t.log(
    [...reached]
      .sort()
      .map(([what, count]) => `${what}: ${count}`)
      .join(', '),
  );
});

test.serial('a seed replays exactly', async t => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const [once, again] = [await simulate(seed), await simulate(seed)];
    t.deepEqual(again, once, `seed ${seed}`);
  }
});
