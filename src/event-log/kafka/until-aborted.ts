// Waiting for an abort signal.
import { once } from 'node:events';

/** Resolves when the signal aborts; immediately if it already has. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
