// The partition that a stream belongs to: events are ordered within a partition only. Pure.
import type { Head } from '../../../projections/documents.ts';
import type { Delivery } from './delivery.ts';

type InPartition = Pick<Delivery, 'partition'>;

/**
 * Returns the head, moved to the delivery's partition while the stream has no home: before its first event is applied.
 */
export function atHome(head: Head, { partition }: InPartition): Head {
  return head.sequence === 0 && head.partition !== partition ? { ...head, partition } : head;
}

/** Returns whether a delivery is in another partition than the events of its stream that were applied. */
export function liesElsewhere(head: Head, { partition }: InPartition): boolean {
  return head.sequence > 0 && head.partition !== partition;
}

/** Returns the reason for operators why such a delivery is not applied. */
export function elsewhereReason(
  { id, partition }: Pick<Head, 'id' | 'partition'>,
  delivery: InPartition,
): string {
  return `Expected an event of ${id} in partition ${partition}, where its stream began, got it in partition ${delivery.partition}`;
}
