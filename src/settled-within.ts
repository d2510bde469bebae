// Waits a limited time for work whose result does not matter.
import { delay } from './delay.ts';

/** Resolves when the work succeeds or fails, or after `ms` milliseconds; never rejects. The work itself continues. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  await Promise.race([Promise.allSettled([work]), delay(ms, settled.signal)]);
  settled.abort();
}
