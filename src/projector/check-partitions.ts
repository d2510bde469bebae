// A log never has fewer partitions than were projected from it: one that does was made anew.
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { GenerationCollections } from '../read-store/collections.ts';

/** @throws UserError when checkpoints tell of partitions that the log does not have */
export async function checkPartitions(
  { checkpoints }: GenerationCollections,
  log: EventLog,
): Promise<void> {
  const [last] = await checkpoints.find().sort({ _id: -1 }).limit(1).toArray();
  const partitions = await log.partitions();
  if (!last || last._id < partitions) return;
  throw new UserError(
    `DATA_LOSS in ${log.name}: it has ${partitions} partitions, but partition ${last._id} was projected from it; it was made anew, or is another log`,
  );
}
