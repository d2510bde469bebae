// What a client does while the service says that it is not available: it asks again, though not for ever.
import { setTimeout as sleep } from 'node:timers/promises';

/** A database that pauses makes readers say this: it may happen on any machine, at any time. */
export const PAUSED = 'The database is away or too slow';
const PAUSED_MS_MAX = 60_000;
const UNAVAILABLE_MS_MAX = 300_000;
const PAUSE_MS = 50;

/**
 * Returns whether an answer only says that the database pauses; false once a reader has said nothing else for too long.
 * It must be called with every answer.
 */
export type Patience = (reader: string, answer: Response, text: string) => boolean;

export function createPatience(): Patience {
  const pausedSince = new Map<string, number>();
  return (reader, { status, headers }, text) => {
    const isPaused =
      status === 503 && headers.has('retry-after') && JSON.parse(text).error.message === PAUSED;
    if (!isPaused) {
      pausedSince.delete(reader);
      return false;
    }
    const since = pausedSince.get(reader) ?? performance.now();
    pausedSince.set(reader, since);
    return performance.now() - since <= PAUSED_MS_MAX;
  };
}

/** The first answer that is not 503, or the last one after five minutes. */
export async function askUntilAvailable(ask: () => Promise<Response>): Promise<Response> {
  const deadline = performance.now() + UNAVAILABLE_MS_MAX;
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503 || performance.now() > deadline) return answer;
    await answer.body?.cancel();
    await sleep(PAUSE_MS);
  }
}
