// Stopping a process: the first signal asks it to finish what is in hand, the second ends it at once.

/**
 * Aborts at SIGTERM or SIGINT. `report` is told once.
 *
 * @param msMax after which the process ends, finished or not: what a server that hangs keeps in hand is done anew by
 *   whoever comes next
 */
export function stopSignal(
  report: (line: string) => void,
  msMax: number | null = null,
): AbortController {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
    report('Stopping');
    controller.abort();
    if (msMax !== null) setTimeout(() => endUnfinished(report), msMax).unref();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return controller;
}

function endUnfinished(report: (line: string) => void): void {
  report('Stopped before all that was in hand was finished');
  process.exit(0);
}
