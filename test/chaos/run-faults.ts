// Runs one fault after the other; one that affects a part in trouble is left out.
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../histories/random.ts';
import type { Fault } from './fault.ts';
import type { FaultPicker } from './pick-fault.ts';
import { count } from './product.ts';
import type { World } from './world.ts';

export interface FaultsOptions {
  readonly picker: FaultPicker;
  /** Epoch milliseconds. */
  readonly until: number;
  /** The number of faults by name. */
  readonly faults: Map<string, number>;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

const PAUSE_MS = [100, 2500] as const;
/** Between two lines that say which faults a round still waits for. */
const WAITS_MS = 60_000;

/** Resolves once the last one is over. */
export async function runFaults(
  world: World,
  random: Random,
  { picker, until, faults, report, signal }: FaultsOptions,
): Promise<void> {
  const under = new Map<Fault['of'], { readonly name: string; readonly over: Promise<void> }>();
  while (Date.now() < until && !signal.aborted) {
    await sleep(random.between(...PAUSE_MS), undefined, { signal }).catch(() => {});
    const fault = picker.next(random, of => under.has(of));
    const own = createRandom(random.below(2 ** 31));
    if (!fault) continue;
    report(fault.name);
    count(faults, fault.name);
    const failed = (error: Error) => world.blame(`${fault.name}: ${error.message}`);
    const run = fault.run(world, own).catch(failed);
    const over = run.finally(() => under.delete(fault.of));
    under.set(fault.of, { name: fault.name, over });
  }
  const waits = setInterval(() => {
    report(`waits for: ${[...under.values()].map(({ name }) => name).join(', ')}`);
  }, WAITS_MS);
  await Promise.all([...under.values()].map(({ over }) => over));
  clearInterval(waits);
}
