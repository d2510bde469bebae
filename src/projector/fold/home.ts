// The partition in which a stream lies: order holds within a partition only. Pure.
import type { Head } from '../../../projections/documents.ts';
import type { Delivery } from './delivery.ts';

type Place = Pick<Delivery, 'partition'>;

/** Until its first number is applied a stream has no home: strays in other partitions may have come before. */
export function atHome(head: Head, { partition }: Place): Head {
  return head.sequence === 0 && head.partition !== partition ? { ...head, partition } : head;
}

/** Whether a delivery lies in another partition than the numbers of its stream that are applied. */
export function liesElsewhere(head: Head, { partition }: Place): boolean {
  return head.sequence > 0 && head.partition !== partition;
}

/** Why such a delivery takes no number, for operators. */
export function elsewhereReason(
  { id, partition }: Pick<Head, 'id' | 'partition'>,
  delivery: Place,
): string {
  return `Expected an event of ${id} in partition ${partition}, where its stream began, got it in partition ${delivery.partition}`;
}
