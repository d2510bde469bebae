// The connections of a mongod while something is measured.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mongod } from './mongod.ts';

/** Rarely, because each look is work for the server that is measured. */
const POLL_MS = 1000;

/** Begins to look at the number of connections; `end` returns its peak. */
export function peakConnections({ client }: Pick<Mongod, 'client'>): { end(): Promise<number> } {
  const ending = new AbortController();
  let peak = 0;
  const poll = async () => {
    const { connections } = await client.db('admin').command({ serverStatus: 1 });
    peak = Math.max(peak, connections.current);
  };
  const looking = (async () => {
    while (!ending.signal.aborted) {
      await poll();
      await sleep(POLL_MS, null, { signal: ending.signal }).catch(() => {});
    }
  })();
  return {
    async end() {
      ending.abort();
      await looking;
      return peak;
    },
  };
}
