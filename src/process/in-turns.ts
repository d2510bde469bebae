// Splits long work in memory into turns, so that commits, heartbeats and readers of this process run in between.
import { setImmediate } from 'node:timers/promises';

/** Length of a turn; one step may take longer. */
const TURN_MS = 2;

/** Runs the step for each item in order. Any other code of the process may run between two steps. */
export async function inTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  let startedAt = performance.now();
  for (const item of items) {
    step(item);
    if (performance.now() - startedAt < TURN_MS) continue;
    await setImmediate();
    startedAt = performance.now();
  }
}
