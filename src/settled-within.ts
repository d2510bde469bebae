// A bound on how long somebody waits for work whose result does not matter.
import { delay } from './delay.ts';

/** Resolves when the work has ended, well or badly, or after `ms`; never rejects. What was begun goes on. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  await Promise.race([Promise.allSettled([work]), delay(ms, settled.signal)]);
  settled.abort();
}
