// Reads a range of one partition without a consumer group.
import { DamagedLogError, type LogRecord, type PartitionRange } from '../event-log.ts';
import { type FetchRequest, fetchPartition, readBounds } from './cluster.ts';
import { isOutOfRange } from './failure.ts';
import type { Servers } from './servers.ts';
import { type VisibleRecords, visibleRecords } from './visible-records.ts';

export interface ScanRange extends PartitionRange {
  readonly servers: Servers;
  readonly topic: string;
}

/** Fewer than a subscription fetches: a scan runs beside it, and 6 MB would take 50 MB more and be no faster. */
const SCAN_BYTES_MAX = 1024 * 1024;
/** How long the broker waits for records; those before the end of the log are normally returned at once. */
const WAIT_MS = 250;
/** Bytes of a typical record. A guess is enough: a broker always returns at least one whole batch. */
const RECORD_BYTES = 1000;
/** A busy broker may return nothing. More empty fetches in a row count as damage to the log. */
const EMPTY_FETCHES_MAX = 40;

/** @throws DamagedLogError if the log does not hold the whole range */
export async function* scan(
  range: ScanRange,
  signal?: AbortSignal,
): AsyncGenerator<readonly LogRecord[]> {
  const { servers, topic, partition, from, to } = range;
  const { end } = await servers.ask(cluster => readBounds(cluster, topic, partition), signal);
  const until = Math.min(to, end);
  let next = from;
  for (let empty = 0; next < until && signal?.aborted !== true; ) {
    const bytesMax = bytesFor(until - next);
    const fetched = await fetchAt(range, { offset: next, bytesMax }, signal);
    empty = fetched.to === next ? empty + 1 : 0;
    if (fetched.from > next || empty > EMPTY_FETCHES_MAX) throw missingOffset(range, next);
    const records = fetched.records.filter(({ offset }) => offset < until);
    if (records.length > 0) yield records;
    next = fetched.to;
  }
}

/** A look at a few records fetches not much more than them. */
function bytesFor(records: number): number {
  return Math.min(records * RECORD_BYTES, SCAN_BYTES_MAX);
}

function fetchAt(
  range: ScanRange,
  { offset, bytesMax }: Pick<FetchRequest, 'offset' | 'bytesMax'>,
  signal: AbortSignal | undefined,
): Promise<VisibleRecords> {
  const { servers, topic, partition } = range;
  const request = { topic, partition, offset, bytesMax, waitMs: WAIT_MS };
  return servers.ask(async cluster => {
    try {
      return visibleRecords(await fetchPartition(cluster, request), offset);
    } catch (error) {
      throw isOutOfRange(error) ? missingOffset(range, offset, error) : error;
    }
  }, signal);
}

function missingOffset(
  { topic, partition }: ScanRange,
  offset: number,
  cause?: unknown,
): DamagedLogError {
  return new DamagedLogError(
    `Partition ${partition} of topic ${topic} does not hold offset ${offset}`,
    { cause },
  );
}
