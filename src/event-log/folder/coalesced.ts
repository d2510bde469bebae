// Lets many callers share the runs of one piece of work.

/**
 * Returns a function that runs the work; runs never overlap. Calls during a run share the next one, because the
 * current run may already have read what they ask for.
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
