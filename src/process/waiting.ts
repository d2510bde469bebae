// How code waits: for a time, at most so long for work, for an abort, until it is woken, and between the turns of long
// work, so that other code of the process runs.
import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms` milliseconds, or as soon as the signal aborts; never rejects. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** Resolves when the work succeeds or fails, or after `ms` milliseconds; never rejects. The work itself continues. */
export function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise(resolve => {
    // No signal ends the wait: aborting one makes an error with its stack, and this runs for each round of requests.
    const timer = setTimeout(resolve, ms);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(finish, finish);
  });
}

/**
 * Returns the result of the work, or null as soon as the signal aborts; a later result is dropped. Leaves nothing at the
 * signal: a race with a promise that stays pending keeps each of its rounds in memory for as long.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(null);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Resolves when the signal aborts; immediately if it already has. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** A sleep that can be ended from outside, also before it begins. */
export type Sleeper = ReturnType<typeof createSleeper>;

/** @param signal ends the sleep when it aborts */
export function createSleeper(signal?: AbortSignal) {
  let woken = signal?.aborted ?? false;
  let end: (() => void) | undefined;
  const wake = () => {
    woken = true;
    end?.();
  };
  signal?.addEventListener('abort', wake);
  return {
    wake,
    /** Forgets the signal. */
    dispose: () => signal?.removeEventListener('abort', wake),
    /** Returns whether it was woken in time. */
    async sleep(ms: number): Promise<boolean> {
      if (!woken && ms > 0) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>(resolve => {
          end = resolve;
          timer = setTimeout(resolve, ms);
        });
        clearTimeout(timer);
        end = undefined;
      }
      const inTime = woken && ms > 0;
      woken = false;
      return inTime;
    },
  };
}

/** Length of a turn; one step may take longer. */
const TURN_MS = 2;

/**
 * Runs the step for each item in order. It splits long work in memory into turns: commits, heartbeats and readers of this
 * process, and any other code of it, may run between two steps.
 */
export async function inTurns<T>(items: Iterable<T>, step: (item: T) => void): Promise<void> {
  const turn = createTurn();
  for (const item of items) {
    step(item);
    if (turn.isOver()) await turn.next();
  }
}

/** The turns of a loop that awaits its items itself: `if (turn.isOver()) await turn.next()` between two steps. */
export function createTurn() {
  let startedAt = performance.now();
  return {
    isOver: () => performance.now() - startedAt >= TURN_MS,
    async next(): Promise<void> {
      await setImmediate();
      startedAt = performance.now();
    },
  };
}
