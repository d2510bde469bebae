// Stopping a process: the first signal asks it to finish what is in hand, a later one ends it at once.
import { constants } from 'node:os';

/** SIGHUP comes when the terminal is closed: without us the embedded mongod would stay. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** npm passes on the signal that the terminal has sent to the whole process group: both are one request. */
const ECHO_MS = 1000;

/**
 * Aborts at one of the signals. `report` is told once.
 *
 * @param msMax after which the process ends, finished or not: what a server that hangs keeps in hand is done anew by
 *   whoever comes next
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

function endUnfinished(report: (line: string) => void): void {
  report('Stopped before all that was in hand was finished');
  process.exit(0);
}
