// Waiting for an abort signal.
import { once } from 'node:events';

/** Resolves when the signal aborts, at once where it has. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
