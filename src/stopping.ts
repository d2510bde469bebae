// Stopping a process: the first signal asks it to finish what is in hand, the second ends it at once.
import { constants } from 'node:os';

/** SIGHUP comes when the terminal is closed: without us the embedded mongod would stay. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Aborts at one of the signals. `report` is told once. */
export function stopSignal(report: (line: string) => void): AbortController {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
    report('Stopping');
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return controller;
}
