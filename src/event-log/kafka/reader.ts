// Reads one partition over a connection of its own: brokers answer one fetch of a connection after the other.
import type { Cluster } from 'kafkajs';
import { fetchPartition } from './cluster.ts';
import { causeOf, explained, isOutOfRange, isPassing } from './failure.ts';
import { type VisibleRecords, visibleRecords } from './visible-records.ts';

/** Why reading cannot simply go on, in words. */
export interface Interrupted {
  readonly interrupted: string;
}

export interface Reader {
  /** What follows an offset, after a while nothing; null when the signal aborts. Rejects on what no waiting mends. */
  fetch(offset: number, signal: AbortSignal): Promise<VisibleRecords | Interrupted | null>;
  close(): void;
}

/** Bytes of one fetch as they travel; what is compressed grows here. */
export const FETCH_BYTES_MAX = 6 * 1024 * 1024;
/** Of the fetches of all readers together. */
const FETCHES_BYTES_MAX = 4 * FETCH_BYTES_MAX;
/** Closing waits for the poll under way, so this bounds a stop. */
const POLL_MS = 1000;

/** Opens readers of one topic: the more there are, the less each fetches at a time. */
export function createReaders(
  connect: () => Promise<Cluster>,
  topic: string,
): (partition: number) => Reader {
  let count = 0;
  const bytesMax = () => Math.min(FETCH_BYTES_MAX, Math.floor(FETCHES_BYTES_MAX / count));
  return partition => {
    count += 1;
    const reader = createReader(connect, topic, partition, bytesMax);
    return {
      ...reader,
      close() {
        count -= 1;
        reader.close();
      },
    };
  };
}

function createReader(
  open: () => Promise<Cluster>,
  topic: string,
  partition: number,
  bytesMax: () => number,
): Reader {
  let opened: Promise<Cluster> | null = null;
  let under: Promise<unknown> = Promise.resolve();
  const read = async (offset: number) => {
    opened ??= open();
    const request = { topic, partition, offset, bytesMax: bytesMax(), waitMs: POLL_MS };
    return visibleRecords(await fetchPartition(await opened, request), offset);
  };
  return {
    async fetch(offset, signal) {
      try {
        const reading = read(offset);
        under = reading.catch(() => {});
        return await unlessAborted(reading, signal);
      } catch (error) {
        if (isOutOfRange(error)) return { interrupted: `The log does not hold offset ${offset}` };
        if (isPassing(error)) return { interrupted: causeOf(error).message };
        throw explained(error, `topic ${topic}`);
      }
    },
    close() {
      // For a fetch that is still under way kafkajs would connect again.
      under
        .then(() => opened)
        .then(cluster => cluster?.disconnect())
        .catch(() => {});
    },
  };
}

/** Null as soon as the signal aborts; what comes after that is dropped. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(null);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
