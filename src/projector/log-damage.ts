// Whether the log is still the one that was projected (projections.md, Exactly once 2).
import { createHash } from 'node:crypto';
import type { EventLog, LogRecord } from '../event-log/event-log.ts';
import type { StoredCheckpoint } from '../read-store/collections.ts';

/** What a checkpoint remembers of the log. */
export type Projected = Pick<StoredCheckpoint, 'next' | 'fingerprints' | 'partitions'>;

/** The log no longer holds what was applied, or what was to be applied next. Nothing goes on over such a hole. */
export class DataLossError extends Error {
  override readonly name = 'DataLossError';

  constructor(eventLog: Pick<EventLog, 'name'>, partition: number, damage: string) {
    super(`DATA_LOSS in ${eventLog.name}, partition ${partition}: ${damage}`);
  }
}

/**
 * Returns why a partition is no longer what was projected from it, or null. A log keeps its events for ever, so it
 * begins at offset 0, ends no earlier than what was applied, and the first and the last record that were applied are
 * still the same. Its number of partitions decides where a stream lies, so it never changes.
 */
export async function damageOf(
  eventLog: EventLog,
  partition: number,
  { next, fingerprints, partitions }: Projected,
): Promise<string | null> {
  const count = await eventLog.partitions();
  if (partitions !== undefined && count !== partitions) {
    return `expected ${partitions} partitions, got ${count}`;
  }
  if (partition >= count) return `expected more than ${partition} partitions, got ${count}`;
  const { start, end } = await eventLog.bounds(partition);
  if (next < start || next > end) {
    const holds = start === end ? 'no record' : `offsets ${start} to ${end - 1}`;
    return `expected offset ${next} next, but the log holds ${holds}`;
  }
  if (start > 0) return `expected the log to begin at offset 0, got offset ${start}`;
  for (const { offset, hash } of fingerprints) {
    const record = await recordAt(eventLog, partition, offset);
    if (record && fingerprintOf(record).hash === hash) continue;
    return `the record at offset ${offset} is not the one that was applied`;
  }
  return null;
}

/** Returns the record at an offset, or null where readers see none there. */
export async function recordAt(
  eventLog: EventLog,
  partition: number,
  offset: number,
): Promise<LogRecord | null> {
  for await (const records of eventLog.scan(partition, offset, offset + 1)) {
    for (const record of records) if (record.offset === offset) return record;
  }
  return null;
}

/** What a record looked like when it was applied: tells a log that was shortened, restored or made again. */
export function fingerprintOf({ offset, key, value }: LogRecord): { offset: number; hash: string } {
  const hash = createHash('sha256').update(`${key}\n`);
  return {
    offset,
    hash: hash
      .update(value ?? '')
      .digest('hex')
      .slice(0, 32),
  };
}
