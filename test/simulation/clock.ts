// A clock that runs only when the simulation says so: timers, delays, the monotonic clock and jitter of the code under
// test are its own, so that a seed replays exactly.
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

interface Timer {
  readonly atMs: number;
  readonly id: number;
  readonly run: () => void;
}

export interface Clock {
  now(): number;
  /** The clock jumps, as that of a process that was frozen. */
  jump(ms: number): void;
  /** Runs the next timer; returns false when there is none. */
  runNext(): boolean;
  /** Forgets all timers. */
  clear(): void;
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  now: performance.now,
  random: Math.random,
  delay: timersPromises.setTimeout as Delay,
};

type Delay = (ms: number, value: unknown, options?: { readonly signal?: AbortSignal }) => unknown;

// Modules import the delay by name. Replacing that takes a millisecond, so it is done once and not for each seed.
let installedDelay = real.delay;
const delayNow: Delay = (...args) => installedDelay(...args);
Object.assign(timersPromises, { setTimeout: delayNow });
syncBuiltinESMExports();

/** Installs the clock; the returned function puts the real one back. */
export function installClock(random: () => number): Clock & { readonly uninstall: () => void } {
  let nowMs = 0;
  let ids = 0;
  const timers = new Map<number, Timer>();
  const start = (run: () => void, ms = 0): number => {
    ids += 1;
    timers.set(ids, { atMs: nowMs + ms, id: ids, run });
    return ids;
  };
  const handle = (id: number) => ({ id, unref: () => handle(id) });
  const set = (run: () => void, ms?: number, ...args: unknown[]) =>
    handle(start(() => (run as (...all: unknown[]) => void)(...args), ms));
  const clear = (timer?: { readonly id: number }) => void timers.delete(timer?.id ?? 0);
  const delay: Delay = (ms, _, { signal } = {}) =>
    new Promise<void>((resolve, reject) => {
      const stop = () => {
        timers.delete(id);
        reject(signal?.reason);
      };
      const id = start(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop);
    });
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  Object.assign(performance, { now: () => nowMs });
  Math.random = random;
  installedDelay = delay;
  return {
    now: () => nowMs,
    jump(ms) {
      nowMs += ms;
    },
    runNext() {
      let next: Timer | undefined;
      for (const timer of timers.values()) if (!next || timer.atMs < next.atMs) next = timer;
      if (!next) return false;
      timers.delete(next.id);
      nowMs = Math.max(nowMs, next.atMs);
      next.run();
      return true;
    },
    clear: () => timers.clear(),
    uninstall() {
      const { setTimeout, clearTimeout, now, random: jitter } = real;
      Object.assign(globalThis, { setTimeout, clearTimeout });
      Object.assign(performance, { now });
      Math.random = jitter;
      installedDelay = real.delay;
    },
  };
}
