// Finds a deletion that is in the log and that no projector has applied: a second one would change nothing.
import { decode } from '../../event-log/decode.ts';
import { partitionOf } from '../../event-log/partition-of.ts';
import type { AppendTarget } from '../opening/target.ts';

/**
 * Returns the sequence of a budget's deletion in the queue of its stream, or in the part of the log that is not applied
 * yet; null if there is none. It takes place also behind a gap.
 *
 * @param above the sequence of the budget's head
 */
export async function recordedDeletion(
  { eventLog, collections }: Pick<AppendTarget, 'eventLog' | 'collections'>,
  budgetId: string,
  above: number,
): Promise<number | null> {
  const deletionIn = (value: Uint8Array | string | null) => {
    const decoded = decode(value, budgetId);
    const event = decoded.kind === 'event' ? decoded.event : null;
    return event?.type === 'budget.deleted' && event.sequence > above ? event.sequence : null;
  };
  const partitions = await eventLog.partitions();
  const partition = partitionOf(budgetId, partitions);
  // Before the queue: an event that moves into it meanwhile is then seen in one of both.
  const checkpoint = await collections.checkpoints.findOne({ _id: partition });
  const queue = collections.waiting.find({ subject: budgetId });
  for await (const { value } of queue.project<{ value: string }>({ value: 1 })) {
    const sequence = deletionIn(value);
    if (sequence !== null) return sequence;
  }
  const { start, end } = await eventLog.bounds(partition);
  const from = Math.max(start, checkpoint?.next ?? start);
  for await (const records of eventLog.scan({ partition, from, to: end })) {
    for (const { key, value } of records) {
      const sequence = key === budgetId ? deletionIn(value) : null;
      if (sequence !== null) return sequence;
    }
  }
  return null;
}
