// What may happen, each by its name: to processes, to the broker, to the database, to the network, to the events.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../histories/random.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import { EVENT_FAULTS } from './event-faults.ts';
import { anyOf } from './fleet.ts';
import { resetOffsets } from './reset-offsets.ts';
import type { World } from './world.ts';

export interface Fault {
  readonly name: string;
  /** How often, compared with others. */
  readonly weight: number;
  /** Faults of the same one come one after the other. */
  readonly of: 'projectors' | 'freezing' | 'readers' | 'broker' | 'database' | 'events';
  run(world: World, random: Random): Promise<void>;
}

/** Longer than the session of a consumer group. */
const FROZEN_MS = [16_500, 20_000] as const;

const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'projector killed',
    weight: 7,
    of: 'projectors',
    async run({ fleet }, random) {
      anyOf(fleet, random)?.signal('SIGKILL');
    },
  },
  {
    name: 'projector frozen past its session',
    weight: 2,
    of: 'freezing',
    async run({ fleet }, random) {
      const victim = anyOf(fleet, random);
      if (!victim) return;
      await fleet.alone(victim, async () => {
        victim.signal('SIGSTOP');
        await sleep(random.between(...FROZEN_MS));
        victim.signal('SIGCONT');
      });
    },
  },
  {
    name: 'projector added',
    weight: 2,
    of: 'projectors',
    async run({ fleet }) {
      fleet.add();
    },
  },
  {
    name: 'projector removed',
    weight: 2,
    of: 'projectors',
    async run({ fleet }, random) {
      const victim = anyOf(fleet, random);
      if (victim) await fleet.remove(victim);
    },
  },
  {
    name: 'reader killed',
    weight: 1,
    of: 'readers',
    async run({ readers }, random) {
      const victim = random.pick(readers);
      const starts = victim.starts();
      victim.signal('SIGKILL');
      while (victim.starts() === starts || victim.address('Read API') === null) await sleep(100);
    },
  },
];

const BROKER_FAULTS: readonly Fault[] = [
  {
    name: 'broker stopped and started',
    weight: 1,
    of: 'broker',
    run: ({ broker }, random) => broker.restart(() => sleep(random.between(0, 4000))),
  },
  {
    name: 'broker killed and started',
    weight: 1,
    of: 'broker',
    run: ({ broker }, random) => broker.restart(() => sleep(random.between(0, 4000)), 'SIGKILL'),
  },
  {
    name: 'network to the broker cut',
    weight: 3,
    of: 'broker',
    async run({ brokerProxy }, random) {
      brokerProxy.cut();
      await sleep(random.between(50, 6000));
      brokerProxy.mend();
    },
  },
  {
    name: 'network to the broker slow',
    weight: 2,
    of: 'broker',
    async run({ brokerProxy }, random) {
      brokerProxy.slow(random.between(50, 1500));
      await sleep(random.between(2000, 8000));
      brokerProxy.mend();
    },
  },
  {
    name: 'offsets of the consumer group set to anything',
    weight: 2,
    of: 'broker',
    run: resetOffsets,
  },
];

export const FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...BROKER_FAULTS,
  ...DATABASE_FAULTS,
  ...EVENT_FAULTS,
];
