// Fetches from one partition. Each has its own connection, because a broker serves one fetch per connection at a time.
import type { Cluster } from 'kafkajs';
import { unlessAborted } from '../../process/waiting.ts';
import { fetchPartition } from './cluster.ts';
import { causeOf, explained, isOutOfRange, isTransientKafkaError } from './failure.ts';
import { type VisibleRecords, visibleRecords } from './visible-records.ts';

/** Why fetching was interrupted, as a text for the log. */
export interface Interrupted {
  readonly interrupted: string;
}

export interface Fetcher {
  /**
   * Returns the records from an offset on, after POLL_MS possibly none; null when the signal aborts. Rejects on errors
   * that no retry can fix.
   */
  fetch(offset: number, signal: AbortSignal): Promise<VisibleRecords | Interrupted | null>;
  /** Closes the connection; the next fetch opens another. */
  close(): void;
}

/**
 * Bytes of one fetch on the network; compressed batches take more memory. A larger record is fetched alone. Less would
 * make smaller chunks, more would only take more memory (docs/notebook.md).
 */
const FETCH_BYTES_MAX = 3 * 1024 * 1024;
/** Limit for all connections together, as kafkajs keeps the bytes of each last fetch: each fetches its share. */
const FETCHES_BYTES_MAX = 16 * 1024 * 1024;
/** Closing waits for the fetch in progress, so this also limits how long a stop takes. */
const POLL_MS = 1000;

/** Returns a function that opens fetchers of one topic. The more are connected, the fewer bytes each fetches at a time. */
export function createFetchers(
  connect: () => Promise<Cluster>,
  topic: string,
): (partition: number) => Fetcher {
  const connections = new Set<Promise<Cluster>>();
  return partition => createFetcher({ connect, topic, partition, connections });
}

interface FetcherOptions {
  readonly connect: () => Promise<Cluster>;
  readonly topic: string;
  readonly partition: number;
  /** Those of all fetchers that are connected. */
  readonly connections: Set<Promise<Cluster>>;
}

function createFetcher({ connect, topic, partition, connections }: FetcherOptions): Fetcher {
  let cluster: Promise<Cluster> | null = null;
  let lastFetch: Promise<unknown> = Promise.resolve();
  const fetch = async (offset: number) => {
    cluster ??= connect();
    connections.add(cluster);
    const connected = await cluster;
    const share = Math.floor(FETCHES_BYTES_MAX / connections.size);
    const bytesMax = Math.min(FETCH_BYTES_MAX, share);
    const request = { topic, partition, offset, bytesMax, waitMs: POLL_MS };
    return visibleRecords(await fetchPartition(connected, request), offset);
  };
  return {
    async fetch(offset, signal) {
      try {
        const fetching = fetch(offset);
        // Without its result: the records would stay in memory until the next fetch.
        lastFetch = fetching.then(ignore, ignore);
        return await unlessAborted(fetching, signal);
      } catch (error) {
        if (isOutOfRange(error)) return { interrupted: `The log does not hold offset ${offset}` };
        if (isTransientKafkaError(error)) return { interrupted: causeOf(error).message };
        throw explained(error, `topic ${topic}`);
      }
    },
    close() {
      const opened = cluster;
      if (!opened) return;
      cluster = null;
      connections.delete(opened);
      // Waits for the last fetch, because kafkajs would reconnect for a fetch in progress.
      lastFetch
        .then(() => opened)
        .then(connected => connected.disconnect())
        .catch(() => {});
    },
  };
}

function ignore(): void {}
