// Waits a limited time for work whose result does not matter.

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
