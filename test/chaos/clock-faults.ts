// Clocks that are set in one running process, so that it disagrees with all others.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../histories/random.ts';
import type { Fault } from './fault.ts';
import { anyOf } from './fleet.ts';
import type { Supervised } from './product.ts';

const HOUR_MS = 3_600_000;
const JUMPS_MS = [-24 * HOUR_MS, -HOUR_MS, -40_000, -3000, 3000, 40_000, HOUR_MS, 24 * HOUR_MS];
const WRONG_MS = [3000, 25_000] as const;

export const CLOCK_FAULTS: readonly Fault[] = [
  {
    name: 'clock of a projector jumped',
    weight: 2,
    of: 'clocks',
    async run({ fleet }, random) {
      const victim = anyOf(fleet, random);
      if (victim) await jump(victim, random);
    },
  },
  {
    name: 'clock of a reader jumped',
    weight: 1,
    of: 'clocks',
    run: ({ readers }, random) => jump(random.pick(readers), random),
  },
];

async function jump(victim: Supervised, random: Random): Promise<void> {
  victim.setClock(random.pick(JUMPS_MS));
  await sleep(random.between(...WRONG_MS));
  victim.setClock(0);
}
