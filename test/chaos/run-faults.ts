// One fault after the other, as the seed says: those that concern the same part never at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../histories/random.ts';
import { FAULTS, type Fault } from './faults.ts';
import { count } from './product.ts';
import type { World } from './world.ts';

export interface FaultsOptions {
  /** Epoch milliseconds. */
  readonly until: number;
  /** Counts them. */
  readonly faults: Map<string, number>;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

const PAUSE_MS = [200, 3500] as const;
const WEIGHT = FAULTS.reduce((sum, { weight }) => sum + weight, 0);

/** Resolves once the last one is over. */
export async function runFaults(
  world: World,
  random: Random,
  { until, faults, report, signal }: FaultsOptions,
): Promise<void> {
  const under = new Map<Fault['of'], Promise<void>>();
  while (Date.now() < until && !signal.aborted) {
    await sleep(random.between(...PAUSE_MS), undefined, { signal }).catch(() => {});
    const fault = pick(random);
    const own = createRandom(random.below(2 ** 31));
    await under.get(fault.of);
    if (Date.now() >= until || signal.aborted) break;
    report(fault.name);
    count(faults, fault.name);
    under.set(fault.of, fault.run(world, own));
  }
  await Promise.all(under.values());
}

function pick(random: Random): Fault {
  let left = random.next() * WEIGHT;
  for (const fault of FAULTS) {
    left -= fault.weight;
    if (left < 0) return fault;
  }
  throw new Error('Expected a fault to pick');
}
