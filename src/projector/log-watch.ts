// Checks the log and its settings at intervals: a partition without traffic would not notice damage.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../event-log/event-log.ts';
import type { Log } from '../process/log.ts';
import { DataLossError, damageOf, type Projected } from './log-damage.ts';

export interface LogWatch {
  readonly eventLog: EventLog;
  readonly logger: Log;
  readonly everyMs: number;
  /** Returns what was projected from the partitions that this process owns. */
  readonly claimed: () => ReadonlyMap<number, Projected>;
  readonly halt: (partition: number, error: DataLossError) => Promise<void>;
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
  for (const [partition, projected] of claimed()) {
    const damage = await damageOf(eventLog, partition, projected);
    if (signal.aborted) return;
    if (damage !== null) await halt(partition, new DataLossError(eventLog, partition, damage));
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
