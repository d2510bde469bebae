// Asks something that may not answer: never twice at once, and never for longer than a while.
import { within } from '../access/within.ts';

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
    return within(timeoutMs, asked).catch(() => null);
  };
}
