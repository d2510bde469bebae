// Detects a log that is no longer the one that was projected (rules/projecting.md#check-of-the-log). The log and its
// settings are checked at intervals too: a partition without traffic would not notice damage.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DamagedLogError,
  type EventLog,
  type LogBounds,
  type LogRecord,
} from '../event-log/event-log.ts';
import type { Logger } from '../process/log.ts';
import type { StoredCheckpoint } from '../store/collections.ts';

/** What a checkpoint remembers of the log. */
export type Projected = Pick<StoredCheckpoint, 'next' | 'fingerprints' | 'partitions'>;

/** The log lost records that were applied, or the next one to apply. Nothing is applied beyond the hole. */
export function dataLoss({ name }: EventLog, partition: number, damage: string): string {
  return `DATA_LOSS in ${name}, partition ${partition}: ${damage}`;
}

/** Returns why a partition is no longer the one that was projected, or null. */
export async function damageOf(
  eventLog: EventLog,
  partition: number,
  projected: Projected,
): Promise<string | null> {
  const checked = await orDamage(() => checkedBounds(eventLog, partition, projected));
  return typeof checked === 'string' ? dataLoss(eventLog, partition, checked) : null;
}

/**
 * Returns the bounds of a partition, or why it is no longer the one that was projected. A log keeps its events for ever,
 * so it begins at offset 0, reaches at least to the next offset, and still holds the first and the last applied record
 * unchanged. The number of partitions never changes, because it decides which partition a stream belongs to.
 *
 * @throws DamagedLogError when the log cannot be read
 */
export async function checkedBounds(
  eventLog: EventLog,
  partition: number,
  { next, fingerprints, partitions }: Projected,
): Promise<LogBounds | string> {
  const count = await eventLog.partitions();
  if (count !== partitions) return `expected ${partitions} partitions, got ${count}`;
  if (partition >= count) return `expected at least ${partition + 1} partitions, got ${count}`;
  const bounds = await eventLog.bounds(partition, next);
  const lost = lostRange(bounds, next);
  if (lost) return lost;
  for (const { offset, hash } of fingerprints) {
    const record = await orDamage(() => recordAt(eventLog, partition, offset));
    // Records may be deleted between the two reads: the bounds say more than a record that cannot be read.
    if (typeof record === 'string') {
      return lostRange(await eventLog.bounds(partition, next), next) ?? record;
    }
    if (record && fingerprintOf(record).hash === hash) continue;
    return `the record at offset ${offset} is not the one that was applied`;
  }
  return bounds;
}

/**
 * Returns what was read from the log, or a sentence where it lost records or cannot be read. A server that cannot be
 * reached is no damage: its error is thrown.
 */
export async function orDamage<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DamagedLogError) return error.message;
    throw error;
  }
}

function lostRange({ start, end }: LogBounds, next: number): string | null {
  if (next < start || next > end) {
    const holds = start === end ? 'no record' : `offsets ${start} to ${end - 1}`;
    return `expected offset ${next} next, but the log holds ${holds}`;
  }
  return start > 0 ? `expected the log to begin at offset 0, got offset ${start}` : null;
}

/**
 * Returns the record at an offset, or null where the log has none for readers.
 *
 * @throws DamagedLogError when the log lost the record
 */
export async function recordAt(
  eventLog: EventLog,
  partition: number,
  offset: number,
): Promise<LogRecord | null> {
  for await (const records of eventLog.scan({ partition, from: offset, to: offset + 1 })) {
    for (const record of records) if (record.offset === offset) return record;
  }
  return null;
}

/** Returns the fingerprint of an applied record, which detects a log that was restored or created again. */
export function fingerprintOf({ offset, key, value }: LogRecord): { offset: number; hash: string } {
  const hash = createHash('sha256').update(`${key}\n`);
  const hex = hash.update(value ?? '').digest('hex');
  return { offset, hash: hex.slice(0, 32) };
}

export interface LogWatch {
  readonly eventLog: EventLog;
  readonly logger: Logger;
  readonly everyMs: number;
  /** Returns what was projected from the partitions that this process owns. */
  readonly claimed: () => Promise<ReadonlyMap<number, Projected>>;
  /** Called with a sentence (dataLoss). */
  readonly halt: (partition: number, reason: string) => Promise<void>;
}

/** Runs until the signal aborts; never rejects. When a server is away, the next round checks again. */
export async function watchLog(watch: LogWatch, signal: AbortSignal): Promise<void> {
  let reported: string | null = null;
  while (!signal.aborted) {
    await sleep(watch.everyMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    try {
      reported = await reportSettings(watch, reported);
      await checkPartitions(watch, signal);
    } catch (error) {
      watch.logger.debug({ err: error }, 'The log could not be checked');
    }
  }
}

async function checkPartitions(
  { eventLog, claimed, halt }: LogWatch,
  signal: AbortSignal,
): Promise<void> {
  for (const [partition, projected] of await claimed()) {
    const damage = await damageOf(eventLog, partition, projected);
    if (signal.aborted) return;
    if (damage !== null) await halt(partition, damage);
  }
}

/** Logs a problem of the settings once. Nothing is lost yet, so projecting goes on. */
async function reportSettings(
  { eventLog, logger }: LogWatch,
  reported: string | null,
): Promise<string | null> {
  const problem = await eventLog.settingsProblem();
  if (problem !== null && problem !== reported) logger.error(problem);
  return problem;
}
