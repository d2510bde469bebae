// Taking a partition over, and what must be true of the log before anything is applied from it.

import type { EventLog, LogRecord } from '../event-log/event-log.ts';
import { type Claim, claimPartition } from '../read-store/checkpoints.ts';
import type { CommitSession } from '../read-store/commit.ts';
import { fingerprintOf } from './apply-chunk.ts';
import type { ProjectorStore } from './store.ts';

/** The log no longer holds what was applied, or what was to be applied next. Nothing goes on over such a hole. */
export class DataLossError extends Error {
  override readonly name = 'DataLossError';

  constructor(log: EventLog, partition: number, message: string) {
    super(`DATA_LOSS in ${log.name}, partition ${partition}: ${message}`);
  }
}

/**
 * Claims a partition and holds the log against its checkpoint.
 *
 * @throws DataLossError when the log was shortened, restored or made anew
 */
export async function claim(
  store: ProjectorStore,
  log: EventLog,
  partition: number,
  owner: string,
  sessions: readonly CommitSession['id'][],
): Promise<Claim> {
  const { checkpoints } = store.collections;
  const claimed = await claimPartition(checkpoints, partition, owner, sessions);
  const { start, end } = await log.bounds(partition);
  const { next } = claimed;
  if (next < start || next > end) {
    const holds = start === end ? 'no record' : `offsets ${start} to ${end - 1}`;
    const message = `expected offset ${next} next, but the log holds ${holds}`;
    throw new DataLossError(log, partition, message);
  }
  for (const known of claimed.fingerprints) {
    if (known.offset < start) continue;
    const record = await recordAt(log, partition, known.offset);
    if (record && fingerprintOf(record).hash === known.hash) continue;
    const message = `the record at offset ${known.offset} is not the one that was applied`;
    throw new DataLossError(log, partition, message);
  }
  if (claimed.fingerprints.length > 0 || start === end) return claimed;
  // The first chunk adds its own; this one tells a log that begins with other records.
  const first = await recordAt(log, partition, start);
  return first ? { ...claimed, fingerprints: [fingerprintOf(first)] } : claimed;
}

async function recordAt(
  log: EventLog,
  partition: number,
  offset: number,
): Promise<LogRecord | null> {
  for await (const records of log.scan(partition, offset, offset + 1)) {
    for (const record of records) if (record.offset === offset) return record;
  }
  return null;
}
