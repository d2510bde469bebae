// Runs one seed: processes, faults and a server over one log, until the log is applied; then compares.
import type { LogRecord } from '../../src/event-log/event-log.ts';
import { installClock } from './clock.ts';
import { differencesOf } from './expected.ts';
import { numbered, randomLog } from './history.ts';
import type { Faults } from './planted.ts';
import { NEIGHBOURS, Process } from './process.ts';
import { SimStore } from './sim-store.ts';
import { World } from './world.ts';

export interface Run {
  /** A sentence for each difference from the expected store. */
  readonly differences: readonly string[];
  readonly reached: ReadonlyMap<string, number>;
  /** A hash of everything that happened. */
  readonly trace: number;
}

/** A run that takes more steps does not end. */
const STEPS_MAX = 5000;

/** Lets all code run that waits for nothing: whatever it waits for in a simulation is a promise, and these come first. */
function allRan(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve));
}

export async function simulate(seed: number, faults: Faults = new Set()): Promise<Run> {
  const store = new SimStore();
  for (const _id of NEIGHBOURS) {
    const checkpoint = { _id, epoch: 0, next: 0, partitions: 1, fingerprints: [] };
    store.documents('checkpoints').set(_id, checkpoint);
  }
  const world = new World(seed, store, faults);
  const { random } = world;
  const clock = installClock(() => random.next());
  try {
    const records = numbered(randomLog(random));
    const differences = await play(world, records, clock);
    if (differences.length === 0) differences.push(...differencesOf(records, store));
    return { differences, reached: world.reached, trace: world.trace };
  } finally {
    clock.uninstall();
  }
}

async function play(
  world: World,
  records: readonly LogRecord[],
  clock: ReturnType<typeof installClock>,
): Promise<string[]> {
  const { random, store } = world;
  const processes: Process[] = [];
  const start = () => {
    const process = new Process(processes.length, world, records);
    processes.push(process);
    process.run().catch(error => process.isAlive && world.fail(error));
  };
  let troubled = random.between(20, 400);
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    await allRan();
    if (world.failure) return [String((world.failure as Error).stack)];
    const running = processes.filter(one => one.isAlive && !one.isDone);
    const isApplied =
      running.length === 0 && store.documents('checkpoints').get(0)?.next === records.length;
    troubled = isApplied ? 0 : troubled - 1;
    if (troubled <= 0) world.heal();
    if (running.length === 0) {
      // A process that reached the end has done everything that it had to, unless another one has claimed since.
      const last = processes.at(-1);
      if (isApplied && last?.isAlive && last.isAtEnd) return [];
      start();
    } else if (troubled > 0 && running.length < 2 && random.chance(0.01)) {
      world.reach('rebalances');
      if (random.chance(0.5)) running[0]?.revoke();
      start();
    }
    if (troubled > 0 && random.chance(0.005)) clock.jump(random.pick([1000, 60_000]));
    world.serve(processes);
    if (!world.isWaiting || random.chance(0.05)) clock.runNext();
    if (world.isWaiting) world.executeOne();
  }
  return ['The run does not end'];
}
