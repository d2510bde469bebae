// Lets many callers share few runs of one piece of work.

/**
 * Runs of the work never overlap. Calls that come while one runs share the next, since the running
 * one may have looked too early for them.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let queued: Promise<void> | null = null;
  const start = (): Promise<void> => {
    queued = null;
    running = work();
    return running;
  };
  return () => {
    queued ??= running.then(start, start);
    return queued;
  };
}
