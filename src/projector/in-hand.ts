// How many large chunks one process works on at a time, however many partitions it has: a bound on its memory.
import { setTimeout as sleep } from 'node:timers/promises';

/** Of one chunk while it is folded, of another while it is committed: more would not be faster. */
const LARGE_MAX = 2;
/** Smaller chunks take little memory, and do not wait: what is live comes in such. */
const SMALL_RECORDS = 500;
const HEARTBEAT_MS = 5000;

export interface InHand {
  /**
   * Waits for its turn with so many records, first come, first served. Answers what is to be called once they are out
   * of hand.
   *
   * @param heartbeat told now and then: who waits for others of this process does not stand still
   */
  take(records: number, heartbeat?: () => Promise<void>): Promise<() => void>;
}

export function createInHand(): InHand {
  let free = LARGE_MAX;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async take(records, heartbeat = async () => {}) {
      if (records <= SMALL_RECORDS) return () => {};
      if (free > 0) {
        free -= 1;
        return release;
      }
      const turn = new Promise<void>(resolve => waiting.push(resolve));
      const waited = new AbortController();
      const telling = tell(heartbeat, waited.signal);
      await turn;
      waited.abort();
      await telling;
      return release;
    },
  };
}

async function tell(heartbeat: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(HEARTBEAT_MS, undefined, { signal }).catch(() => {});
    await heartbeat();
  }
}
