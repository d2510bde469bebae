// The order in which a queue is applied: that of sequences, as if each entry had been applied on its arrival. Pure.
import type { Head } from '../../../projections/documents.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { Delivery } from '../fold/delivery.ts';
import { nextExpected } from '../fold/gate.ts';

/** An entry of a queue. */
export interface QueueEntry {
  readonly id: string;
  readonly delivery: Delivery;
}

export interface QueueOf {
  readonly head: Pick<Head, 'id' | 'sequence'>;
  readonly isSkipped: IsSkipped;
  /** Entries of higher sequences follow that are not among the given ones. */
  readonly isCut: boolean;
}

/**
 * Returns entries, given in the order of sequences and offsets, in the order of their turns. One that would hold the
 * stream whatever came next, because it has no sequence or that of an applied event, has its turn before everything that
 * arrived after it: so no time of a drain, and no bound of a chunk, decides how far the stream gets
 * (rules/events.md#turns-in-a-queue). Those whose place is beyond a cut are left out.
 */
export function turnsOf(
  entries: readonly QueueEntry[],
  { head: { id, sequence }, isSkipped, isCut }: QueueOf,
): QueueEntry[] {
  const turns: QueueEntry[] = [];
  let [reached, holding]: [number, QueueEntry[]] = [sequence, []];
  const takeArrivedBefore = (offset: number) => {
    const isBefore = ({ delivery }: QueueEntry) => delivery.offset < offset;
    turns.push(...holding.filter(isBefore).sort((a, b) => a.delivery.offset - b.delivery.offset));
    holding = holding.filter(entry => !isBefore(entry));
  };
  for (const [index, entry] of entries.entries()) {
    const { delivery } = entry;
    if (delivery.sequence <= reached) {
      holding.push(entry);
      continue;
    }
    if (delivery.sequence > nextExpected({ id, sequence: reached }, delivery.sequence, isSkipped)) {
      takeArrivedBefore(Number.POSITIVE_INFINITY);
      return [...turns, ...entries.slice(index)];
    }
    takeArrivedBefore(delivery.offset);
    turns.push(entry);
    reached = delivery.sequence;
  }
  if (!isCut) takeArrivedBefore(Number.POSITIVE_INFINITY);
  return turns;
}
