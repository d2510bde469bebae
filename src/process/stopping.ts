// Stops a process on signals: the first one lets it finish current work, a later one ends it at once.
import { constants } from 'node:os';

/** SIGHUP arrives when the terminal closes: handling it stops the embedded mongod, which would otherwise run on. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** npm forwards the signal that the terminal sends to the whole process group: two within this time count as one. */
const ECHO_MS = 1000;

/**
 * Returns a controller that aborts at the first signal.
 *
 * @param report receives one line when the process starts to stop, and one if it ends unfinished
 * @param msMax the process ends after this time even with unfinished work, for example because a server hangs; the
 *   next process repeats that work. Null: no limit
 */
export function stopSignal(
  report: (line: string) => void,
  msMax: number | null = null,
): AbortController {
  const controller = new AbortController();
  let askedAtMs = 0;
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      if (performance.now() - askedAtMs < ECHO_MS) return;
      process.exit(128 + constants.signals[name]);
    }
    askedAtMs = performance.now();
    report('Stopping');
    controller.abort();
    if (msMax !== null) setTimeout(() => endUnfinished(report), msMax).unref();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return controller;
}

export interface StopOnceBegun {
  /** From now on a signal aborts the work; until then it ends the process. */
  begin(): void;
  hasBegun(): boolean;
  readonly signal: AbortSignal;
}

/**
 * Lets the first signal end the process while nothing has begun that must be finished. The event loop delivers signals, so
 * await anything from outside before `begin`.
 *
 * @param report receives the line that says so
 */
export function stopOnceBegun(report: () => void): StopOnceBegun {
  let hasBegun = false;
  const ends = SIGNALS.map(name => {
    const end = () => {
      report();
      process.exit(128 + constants.signals[name]);
    };
    process.once(name, end);
    return [name, end] as const;
  });
  const { signal } = stopSignal(() => {});
  return {
    signal,
    hasBegun: () => hasBegun,
    begin() {
      if (hasBegun) return;
      hasBegun = true;
      for (const [name, end] of ends) process.off(name, end);
    },
  };
}

function endUnfinished(report: (line: string) => void): void {
  report('Stopped before all that was in hand was finished');
  process.exit(0);
}
