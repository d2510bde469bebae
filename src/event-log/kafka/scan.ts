// Reads a range of one partition, apart from any consumer group.
import { DamagedLogError } from '../damaged-log-error.ts';
import type { LogRecord } from '../event-log.ts';
import { fetchPartition, readBounds } from './cluster.ts';
import { isOutOfRange } from './failure.ts';
import { FETCH_BYTES_MAX } from './reader.ts';
import type { Servers } from './servers.ts';
import { type VisibleRecords, visibleRecords } from './visible-records.ts';

export interface ScanRange {
  readonly servers: Servers;
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

/** Below the end of the log a fetch is answered at once; a busy broker may still answer with nothing. */
const WAIT_MS = 250;
const EMPTY_FETCHES_MAX = 40;

/** @throws DamagedLogError where the log does not hold the range in one piece */
export async function* scan(
  range: ScanRange,
  signal?: AbortSignal,
): AsyncGenerator<readonly LogRecord[]> {
  const { servers, topic, partition, from, to } = range;
  // A broker sends its first batch whole, however few bytes are asked for: enough for one record.
  const bytesMax = to - from === 1 ? 1 : FETCH_BYTES_MAX;
  const { end } = await servers.ask(cluster => readBounds(cluster, topic, partition), signal);
  const until = Math.min(to, end);
  let next = from;
  for (let empty = 0; next < until && signal?.aborted !== true; ) {
    const fetched = await fetchAt(range, next, bytesMax, signal);
    empty = fetched.to === next ? empty + 1 : 0;
    if (fetched.from > next || empty > EMPTY_FETCHES_MAX) throw broken(range, next);
    const records = fetched.records.filter(({ offset }) => offset < until);
    if (records.length > 0) yield records;
    next = fetched.to;
  }
}

function fetchAt(
  range: ScanRange,
  offset: number,
  bytesMax: number,
  signal: AbortSignal | undefined,
): Promise<VisibleRecords> {
  const { servers, topic, partition } = range;
  const request = { topic, partition, offset, bytesMax, waitMs: WAIT_MS };
  return servers.ask(async cluster => {
    try {
      return visibleRecords(await fetchPartition(cluster, request), offset);
    } catch (error) {
      throw isOutOfRange(error) ? broken(range, offset, error) : error;
    }
  }, signal);
}

function broken({ topic, partition }: ScanRange, offset: number, cause?: unknown): DamagedLogError {
  return new DamagedLogError(
    `Partition ${partition} of topic ${topic} does not hold offset ${offset}`,
    {
      cause,
    },
  );
}
