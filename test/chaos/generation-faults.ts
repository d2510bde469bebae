// Faults of generations: a rollback at the very end of its window, and verifiers that stand still while their lease runs
// out. Without another fault a build becomes active, and the next checks find out whether the right one answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Registry, readRegistry } from '../../src/store/registry.ts';
import { READ_MODEL } from './active-collections.ts';
import { inBadWeather } from './database-faults.ts';
import type { Fault } from './fault.ts';
import type { World } from './world.ts';

/** The window of the run, ROLLBACK_MINUTES. */
const WINDOW_MS = 60_000;
/** A command starts in about this time. */
const START_MS = 1000;
const AROUND_THE_END_MS = [-2500, 500] as const;
/** Of the network: what a process has read is old when it acts. */
const SLOW_MS = [100, 400] as const;
const SLOW_FOR_MS = 4000;
/** Longer than the lease of a verification. */
const FROZEN_MS = [32_000, 40_000] as const;
const VERIFYING_MS_MAX = 120_000;
const POLL_MS = 20;

export const GENERATION_FAULTS: readonly Fault[] = [
  {
    name: 'rollback at the end of its window',
    weight: 1,
    of: 'generations',
    isLong: true,
    async run(world, random) {
      if (!(await rebuilt(world))) return;
      const retired = (await registryOf(world)).generations.find(
        ({ state }) => state === 'retired',
      );
      if (!retired?.retiredAt) return;
      const endsAt = retired.retiredAt.getTime() + WINDOW_MS;
      await sleep(endsAt - Date.now() - START_MS + random.between(...AROUND_THE_END_MS));
      await inBadWeather(world, async () => {
        const { members } = world.set;
        const slowMs = random.between(...SLOW_MS);
        for (const { proxy } of members) proxy.slow(slowMs);
        const rollback = world.budgeting('rollback');
        await sleep(SLOW_FOR_MS);
        for (const { proxy } of members) proxy.mend();
        await rollback;
      });
    },
  },
  {
    name: 'verifiers frozen beyond their lease',
    weight: 1,
    of: 'freezing',
    isLong: true,
    async run(world, random) {
      const { fleet } = world;
      const rebuilding = rebuilt(world);
      if (await isVerifying(world)) {
        // Nobody but one of them knows which one verifies: the last one takes its place.
        const victims = random.some(fleet.free(), fleet.free().length - 1);
        const frozenMs = random.between(...FROZEN_MS);
        const freeze = () => sleep(frozenMs);
        await Promise.all(victims.map(one => fleet.alone(one, () => one.freeze(freeze))));
      }
      await rebuilding;
    },
  },
];

/** Builds a generation and waits until it is active; returns false if it was refused or given up. */
async function rebuilt({ budgeting, blame }: World): Promise<boolean> {
  const { code, out, err } = await budgeting('rebuild');
  if (/Generation \S+ failed/.test(err)) blame(`A build failed: ${err.slice(-500)}`);
  return code === 0 && / is active/.test(out);
}

async function isVerifying(world: World): Promise<boolean> {
  for (
    const deadline = Date.now() + VERIFYING_MS_MAX;
    Date.now() < deadline;
    await sleep(POLL_MS)
  ) {
    const { generations } = await registryOf(world);
    if (generations.some(({ state }) => state === 'verifying')) return true;
  }
  return false;
}

async function registryOf({ client }: World): Promise<Registry> {
  return readRegistry(client.db(READ_MODEL)).catch(() => ({
    ...{ active: null, generations: [], rejectedVersions: [], made: 0, revision: 0 },
  }));
}
