// Courtesies on leaving: servers that do not answer find out by themselves.
import { setTimeout as sleep } from 'node:timers/promises';

const LEAVE_MS_MAX = 2000;

/** Resolves when the work has ended, well or badly, or after a short while. */
export async function within(work: Promise<unknown>, msMax = LEAVE_MS_MAX): Promise<void> {
  const timer = new AbortController();
  const patience = sleep(msMax, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([work.catch(() => {}), patience]);
  timer.abort();
}
