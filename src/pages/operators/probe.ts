// Sends a request to a server that may not answer: never two at the same time, and with a time limit for the caller.
import { withDeadline } from '../../store/deadline.ts';

/** Returns the answer; null if the request failed or timed out. */
export type Probe<T> = () => Promise<T | null>;

/** A request that timed out stays open, and later calls share it, so a hanging server never gets more than one. */
export function createProbe<T>(ask: () => Promise<T>, timeoutMs: number): Probe<T> {
  let asked: Promise<T | null> | null = null;
  return () => {
    asked ??= ask()
      .catch(() => null)
      .finally(() => {
        asked = null;
      });
    return withDeadline(timeoutMs, asked).catch(() => null);
  };
}
