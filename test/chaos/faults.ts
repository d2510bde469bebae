// Faults of processes, the broker, the database, the network and events, each with its name.
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT_FAULTS } from './client-faults.ts';
import { CLOCK_FAULTS } from './clock-faults.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import { DISK_FAULTS } from './disk-faults.ts';
import { EVENT_FAULTS } from './event-faults.ts';
import { cut, type Fault, freeze, MINUTE_MS, swallow } from './fault.ts';
import { anyOf } from './fleet.ts';
import { GENERATION_FAULTS } from './generation-faults.ts';
import { OPERATOR_FAULTS } from './operator-faults.ts';
import { resetOffsets } from './reset-offsets.ts';
import { TOKEN_FAULTS } from './token-faults.ts';

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
      const frozen = () => sleep(random.between(...FROZEN_MS));
      await fleet.alone(victim, () => victim.freeze(frozen));
    },
  },
  {
    name: 'projector frozen for a minute',
    weight: 1,
    of: 'freezing',
    isLong: true,
    async run({ fleet }, random) {
      const victim = anyOf(fleet, random);
      if (victim) await fleet.alone(victim, () => victim.freeze(() => sleep(MINUTE_MS)));
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
  {
    name: 'reader frozen for a minute',
    weight: 1,
    of: 'readers',
    isLong: true,
    run: ({ readers }, random) => random.pick(readers).freeze(() => sleep(MINUTE_MS)),
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
    run: ({ brokerProxy }, random) => cut(brokerProxy, random),
  },
  {
    name: 'connections to the broker half-open',
    weight: 2,
    of: 'broker',
    run: ({ brokerProxy }, random) => swallow(brokerProxy, random),
  },
  {
    name: 'broker frozen for a minute',
    weight: 1,
    of: 'broker',
    isLong: true,
    run: ({ broker }) => freeze(broker, MINUTE_MS),
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
  ...CLOCK_FAULTS,
  ...CLIENT_FAULTS,
  ...TOKEN_FAULTS,
  ...DISK_FAULTS,
  ...BROKER_FAULTS,
  ...DATABASE_FAULTS,
  ...EVENT_FAULTS,
  ...GENERATION_FAULTS,
  ...OPERATOR_FAULTS,
];
