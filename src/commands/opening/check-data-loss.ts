// Refuses appends to a log that has lost data: new records would take the offsets of the lost ones.

import type { EventLog } from '../../event-log/event-log.ts';
import { UserError } from '../../process/errors.ts';
import { DataLossError, damageOf } from '../../projector/log-damage.ts';
import type { GenerationCollections } from '../../store/collections.ts';

/**
 * Compares the log with the checkpoints that its projection has left.
 *
 * @throws UserError with one line for each damaged or halted partition
 */
export async function checkDataLoss(
  eventLog: EventLog,
  generations: readonly GenerationCollections[],
): Promise<void> {
  const faults = new Map<number, string>();
  for (const { checkpoints } of generations) {
    for (const checkpoint of await checkpoints.find().sort({ _id: 1 }).toArray()) {
      const { _id: partition, halted } = checkpoint;
      if (faults.has(partition)) continue;
      const damage = await damageOf(eventLog, partition, checkpoint);
      if (damage !== null)
        faults.set(partition, new DataLossError(eventLog, partition, damage).message);
      else if (halted) faults.set(partition, halted.reason);
    }
  }
  if (faults.size === 0) return;
  const lines = [...faults].sort(([a], [b]) => a - b).map(([, line]) => line);
  throw new UserError([...lines, REFUSED].join('\n'));
}

const REFUSED =
  'Nothing was appended: name the right log or bring back what it has lost, then start the projectors again (docs/operations.md, DATA_LOSS)';

/** Returns the log with a check before each append; a check that throws prevents the append. */
export function checkBeforeAppend(eventLog: EventLog, check: () => Promise<void>): EventLog {
  return {
    ...eventLog,
    async append(records) {
      await check();
      return eventLog.append(records);
    },
  };
}
