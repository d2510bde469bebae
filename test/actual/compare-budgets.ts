// Compares many random budgets, some at the same time.
import { startEngine } from '../../scripts/actual/start-engine.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { type Compared, compareBudget } from './compare-budget.ts';
import { createEngine } from './engine.ts';

export interface Comparing {
  readonly seeds: readonly number[];
  /** As `installActual` returns it. */
  readonly actualFolder: string;
  readonly mongo: TestMongo;
  readonly signal?: AbortSignal;
  /** Receives the result of each budget. */
  readonly report: (seed: number, compared: Compared) => void;
}

/** One engine, in a process of its own, for each. */
const AT_ONCE = 2;
/** A new engine starts after so many budgets, because it keeps all of them. */
const ENGINE_BUDGETS_MAX = 25;

export async function compareBudgets(comparing: Comparing): Promise<void> {
  const queue = [...comparing.seeds];
  const lane = async () => {
    while (queue.length > 0 && !comparing.signal?.aborted) await compareSome(queue, comparing);
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/** Takes seeds from the queue and compares their budgets in one engine. */
async function compareSome(queue: number[], comparing: Comparing): Promise<void> {
  const { actualFolder, mongo, report, signal } = comparing;
  const engine = createEngine(await startEngine(actualFolder, process.env));
  try {
    for (let budgets = 0; budgets < ENGINE_BUDGETS_MAX && !signal?.aborted; budgets += 1) {
      const seed = queue.shift();
      if (seed === undefined) return;
      const compared = await comparedOrFailed(engine, mongo, seed);
      // What was cut off by the end of the run is no result.
      if (!signal?.aborted) report(seed, compared);
    }
  } finally {
    await engine.stop();
  }
}

/** An error is a difference too: the budget could not be made, imported or read. */
async function comparedOrFailed(...args: Parameters<typeof compareBudget>): Promise<Compared> {
  try {
    return await compareBudget(...args);
  } catch (error) {
    return { figures: 0, differences: [error instanceof Error ? `${error.stack}` : String(error)] };
  }
}
