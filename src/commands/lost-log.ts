// A log that has lost something takes nothing more: what is appended to it could not be told from what was lost.
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { DataLossError, damageOf } from '../projector/log-damage.ts';
import type { GenerationCollections } from '../read-store/collections.ts';

/**
 * Holds the log against what was projected from it.
 *
 * @throws UserError with one line for each partition at fault
 */
export async function refuseLostLog(
  log: EventLog,
  generations: readonly GenerationCollections[],
): Promise<void> {
  const faults = new Map<number, string>();
  for (const { checkpoints } of generations) {
    for (const checkpoint of await checkpoints.find().sort({ _id: 1 }).toArray()) {
      const { _id: partition, halted } = checkpoint;
      if (faults.has(partition)) continue;
      const damage = await damageOf(log, partition, checkpoint);
      if (damage !== null) faults.set(partition, new DataLossError(log, partition, damage).message);
      else if (halted) faults.set(partition, halted.reason);
    }
  }
  if (faults.size === 0) return;
  const lines = [...faults].sort(([a], [b]) => a - b).map(([, line]) => line);
  throw new UserError([...lines, REFUSED].join('\n'));
}

const REFUSED =
  'Nothing was appended: name the right log or bring back what it has lost, then start the projectors again (docs/operations.md, DATA_LOSS)';

/** The log, where every append is preceded by a check. */
export function checkedBeforeAppend(log: EventLog, check: () => Promise<void>): EventLog {
  return {
    ...log,
    async append(records) {
      await check();
      return log.append(records);
    },
  };
}
