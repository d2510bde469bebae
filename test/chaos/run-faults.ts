// One fault after the other, as the seed says; one that concerns a part that has trouble already is left out.
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

const PAUSE_MS = [100, 2500] as const;
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
    if (under.has(fault.of)) continue;
    report(fault.name);
    count(faults, fault.name);
    const run = fault.run(world, own).finally(() => under.delete(fault.of));
    under.set(fault.of, run);
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
