// Seeded simulations of a partition: processes, a store and a log in memory, with everything that can go wrong between
// them. The product's own claim, machine, fold and drain run on them. `SIMULATION_SEEDS=1-10000` plays other seeds.
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { chosenSeeds } from './seeds.ts';
import type { Played } from './seeds-worker.ts';
import { simulate } from './simulate.ts';

/** What the seeds must reach together, or the simulation proves less than it seems to. */
const SOMETIMES = [
  'big changes',
  'chunks of two partitions together',
  'drains',
  'failed commands',
  'fences',
  'halts',
  'held for a switch',
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

async function played(seeds: readonly number[]): Promise<Played> {
  const path = join(import.meta.dirname, 'seeds-worker.js');
  const [message] = await once(new Worker(path, { workerData: seeds }), 'message');
  return message;
}

test('whatever goes wrong, each event counts once', async t => {
  const seeds = chosenSeeds();
  const halves = [0, 1].map(half => seeds.filter((_, index) => index % 2 === half));
  const reached = new Map<string, number>();
  for (const half of await Promise.all(halves.map(played))) {
    const { failed } = half;
    t.deepEqual(failed?.differences ?? [], [], `SIMULATION_SEEDS=${failed?.seed}-${failed?.seed}`);
    for (const [what, count] of half.reached) reached.set(what, (reached.get(what) ?? 0) + count);
  }
  for (const what of SOMETIMES) t.true((reached.get(what) ?? 0) > 0, `${what} was never reached`);
  t.log(
    [...reached]
      .sort()
      .map(([what, count]) => `${what}: ${count}`)
      .join(', '),
  );
});

// Serial, because a simulation has the clock of its thread.
test.serial('a seed replays exactly', async t => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const [once, again] = [await simulate(seed), await simulate(seed)];
    t.deepEqual(again, once, `seed ${seed}`);
  }
});
