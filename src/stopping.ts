// Stopping a process: the first signal asks it to finish what is in hand, the second ends it at once.

/** Aborts at SIGTERM or SIGINT. `report` is told once. */
export function stopSignal(report: (line: string) => void): AbortController {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
    report('Stopping');
    controller.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return controller;
}
