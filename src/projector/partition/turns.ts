// Whose turn it is. Of partitions that are far behind one at a time works on large chunks: memory holds the documents
// and records of that one, however many partitions a process has, and it keeps both processors busy by itself.
import { once } from 'node:events';
import { delay } from '../../delay.ts';

/** After so many chunks it is another's turn. What is carried is forgotten then, so short turns load much. */
const CHUNKS_MAX = 8;
/** For so long nothing needs to come of the partition whose turn it is; others go on then. */
const LEASE_MS = 1000;
const HEARTBEAT_MS = 5000;

export interface Turns {
  /**
   * Waits for the turn of a partition, first come, first served; it may be its turn already.
   *
   * @param signal ends the wait, without a turn
   * @param heartbeat told now and then: who waits for others of this process does not stand still
   */
  begin(partition: number, signal: AbortSignal, heartbeat?: () => Promise<void>): Promise<void>;
  /** To be asked after a chunk. False when it is not, or no longer, the partition's turn: others wait. */
  goesOn(partition: number): boolean;
  /** Ends the turn, if it is the partition's; answers whether others waited for that. */
  end(partition: number): boolean;
}

interface Turn {
  readonly partition: number;
  chunks: number;
  lease?: NodeJS.Timeout;
}

export function createTurns(): Turns {
  let current: Turn | null = null;
  const waiting = new Map<number, () => void>();
  function end(partition: number): boolean {
    if (current?.partition !== partition) return false;
    clearTimeout(current.lease);
    current = null;
    for (const [next, start] of waiting) {
      waiting.delete(next);
      current = { partition: next, chunks: 0 };
      start();
      return true;
    }
    return false;
  }
  return {
    async begin(partition, signal, heartbeat = async () => {}) {
      if (signal.aborted) return;
      current ??= { partition, chunks: 0 };
      clearTimeout(current.partition === partition ? current.lease : undefined);
      if (current.partition === partition) return;
      const waited = new AbortController();
      const telling = tell(heartbeat, waited.signal);
      const started = new Promise<void>(start => waiting.set(partition, start));
      const aborted = once(signal, 'abort', { signal: waited.signal }).catch(() => {});
      await Promise.race([started, aborted]);
      waiting.delete(partition);
      waited.abort();
      await telling;
    },
    goesOn(partition) {
      if (current?.partition !== partition) return false;
      current.chunks += 1;
      if (current.chunks >= CHUNKS_MAX && waiting.size > 0) return false;
      current.lease = setTimeout(end, LEASE_MS, partition).unref();
      return true;
    },
    end,
  };
}

async function tell(heartbeat: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(HEARTBEAT_MS, signal);
    await heartbeat();
  }
}
