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
  /** Entries above the head's sequence follow that are not among the given ones. */
  readonly isCut: boolean;
  /** Of the entries up to the head's sequence those with later offsets may be missing. Infinite where all are given. */
  readonly knownTo: number;
}

/**
 * Returns entries, given in the order of sequences and offsets, in the order of their turns. One that would hold the
 * stream whatever came next, because it has no sequence or that of an applied event, has its turn before everything that
 * arrived after it: so no time of a drain, and no bound of a chunk, decides how far the stream gets
 * (rules/events.md#turns-in-a-queue). One whose sequence was given up has no effect, so nothing waits for its arrival.
 * Those whose place depends on entries that are not given are left out.
 */
export function turnsOf(
  entries: readonly QueueEntry[],
  { head: { id, sequence }, isSkipped, isCut, knownTo }: QueueOf,
): QueueEntry[] {
  const turns: QueueEntry[] = [];
  let [reached, holding]: [number, QueueEntry[]] = [sequence, []];
  /** Returns whether all of them are known. */
  const takeArrivedBefore = (offset: number): boolean => {
    const bound = Math.min(offset, knownTo + 1);
    const isBefore = ({ delivery }: QueueEntry) => delivery.offset < bound;
    turns.push(...holding.filter(isBefore).sort((a, b) => a.delivery.offset - b.delivery.offset));
    holding = holding.filter(entry => !isBefore(entry));
    return bound === offset;
  };
  for (const [index, entry] of entries.entries()) {
    const { delivery } = entry;
    if (delivery.sequence <= reached || isSkipped(id, delivery.sequence, null)) {
      holding.push(entry);
      continue;
    }
    if (delivery.sequence > nextExpected({ id, sequence: reached }, delivery.sequence, isSkipped)) {
      const isKnown = takeArrivedBefore(Number.POSITIVE_INFINITY);
      return isKnown ? [...turns, ...entries.slice(index)] : turns;
    }
    if (!takeArrivedBefore(delivery.offset)) return turns;
    turns.push(entry);
    reached = delivery.sequence;
  }
  if (!isCut) takeArrivedBefore(Number.POSITIVE_INFINITY);
  return turns;
}
