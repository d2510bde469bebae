// Turns of partitions that are far behind: one at a time works on large batches. Memory holds the records and documents
// of that one only, however many partitions a process has, and a single one keeps the processor busy.
import { once } from 'node:events';
import { delay } from '../process/waiting.ts';

/** A turn ends after this many batches if others wait. The cache is cleared then, so shorter turns would load more. */
const BATCHES_MAX = 24;
/** A turn without a batch ends after this time, and the next partition goes on. */
const LEASE_MS = 1000;
const HEARTBEAT_MS = 5000;

/**
 * `none`: another partition works, or nobody does. `own`: the partition works. `wanted`: others wait for it to end.
 * `over`: others wait, and it has lasted long enough.
 */
export type Turn = 'none' | 'own' | 'wanted' | 'over';

export interface Turns {
  /**
   * Waits for the turn of a partition, first come, first served; resolves at once during its turn.
   *
   * @param signal ends the wait without a turn
   * @param heartbeat called at intervals during the wait, so that the partition stays with this process
   */
  begin(partition: number, signal: AbortSignal, heartbeat?: () => Promise<void>): Promise<void>;
  /** Returns the turn of a partition, as it is after one more batch. */
  of(partition: number): Turn;
  /** Lets the turn of the partition, if it has one, go on after a batch. */
  keep(partition: number): void;
  /** Ends the turn of the partition, if it has one. */
  end(partition: number): void;
}

interface Current {
  readonly partition: number;
  batches: number;
  lease?: NodeJS.Timeout;
}

export function createTurns(): Turns {
  let current: Current | null = null;
  const waiting = new Map<number, () => void>();
  function end(partition: number): void {
    if (current?.partition !== partition) return;
    clearTimeout(current.lease);
    current = null;
    for (const [next, start] of waiting) {
      waiting.delete(next);
      current = { partition: next, batches: 0 };
      start();
      return;
    }
  }
  return {
    async begin(partition, signal, heartbeat = async () => {}) {
      if (signal.aborted) return;
      current ??= { partition, batches: 0 };
      clearTimeout(current.partition === partition ? current.lease : undefined);
      if (current.partition === partition) return;
      const waited = new AbortController();
      const heartbeats = beat(heartbeat, waited.signal);
      const started = new Promise<void>(start => waiting.set(partition, start));
      const aborted = once(signal, 'abort', { signal: waited.signal }).catch(() => {});
      await Promise.race([started, aborted]);
      waiting.delete(partition);
      waited.abort();
      await heartbeats;
    },
    of(partition) {
      if (current?.partition !== partition) return 'none';
      if (waiting.size === 0) return 'own';
      return current.batches + 1 < BATCHES_MAX ? 'wanted' : 'over';
    },
    keep(partition) {
      if (current?.partition !== partition) return;
      current.batches += 1;
      clearTimeout(current.lease);
      current.lease = setTimeout(end, LEASE_MS, partition).unref();
    },
    end,
  };
}

async function beat(heartbeat: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(HEARTBEAT_MS, signal);
    await heartbeat();
  }
}
