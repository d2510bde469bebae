// Asks something that may not answer: never twice at once, and never for longer than a while.

/** What came of it; null where it failed, or did not answer in time. */
export type Probe<T> = () => Promise<T | null>;

/** An answer that comes late serves whoever asks then: a server that hangs is not asked again and again. */
export function createProbe<T>(ask: () => Promise<T>, timeoutMs: number): Probe<T> {
  let asked: Promise<T | null> | null = null;
  return () => {
    asked ??= ask()
      .catch(() => null)
      .finally(() => {
        asked = null;
      });
    return within(timeoutMs, asked);
  };
}

async function within<T>(timeoutMs: number, work: Promise<T | null>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    // After this process itself stood still, timers run before an answer is read that came in time.
    timer = setTimeout(() => setImmediate(resolve, null), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
