// Plays seeds in a thread of its own: a simulation has the clock of its thread, and two threads have two processors.
import { parentPort, workerData } from 'node:worker_threads';
import { simulate } from './simulate.ts';

/** What a worker reports: up to the first seed with differences. */
export interface Played {
  readonly reached: ReadonlyMap<string, number>;
  readonly failed: { readonly seed: number; readonly differences: readonly string[] } | null;
}

async function play(seeds: readonly number[]): Promise<Played> {
  const reached = new Map<string, number>();
  for (const seed of seeds) {
    const run = await simulate(seed);
    for (const [what, count] of run.reached) reached.set(what, (reached.get(what) ?? 0) + count);
    if (run.differences.length > 0) return { reached, failed: { seed, ...run } };
  }
  return { reached, failed: null };
}

parentPort?.postMessage(await play(workerData));
