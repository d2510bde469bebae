// Long work in memory that lets the rest of the process go on in between: commits under way, heartbeats, readers.
import { setImmediate } from 'node:timers/promises';

const TURN_MS = 2;

/** Does the step for each item in order. Whatever else the process does may happen between two of them. */
export async function inTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  let begunAt = performance.now();
  for (const item of items) {
    step(item);
    if (performance.now() - begunAt < TURN_MS) continue;
    await setImmediate();
    begunAt = performance.now();
  }
}
