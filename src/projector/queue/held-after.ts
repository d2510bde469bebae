// Why a stream is held after a step that applied a part of its queue. Pure.
import type { Head, Held } from '../../../projections/documents.ts';

/** The rest of a queue. */
export interface RemainingQueue {
  /** Since when the stream was held before the step. */
  readonly since: string;
  readonly queued: number;
  /** Time of the event that arrived first among those above the head's sequence; needed for a gap. */
  readonly firstArrived: string | null;
}

/** @param after the head after the step, held by what the step met */
export function heldAfter(
  { held, deleted }: Pick<Head, 'held' | 'deleted'>,
  { since, queued, firstArrived }: RemainingQueue,
): Held | null {
  if (queued === 0 || deleted) return null;
  if (!held) return beingApplied({ since, queued });
  // A gap is dated by the event that arrived first, whatever its sequence.
  if (held.why === 'gap') return { ...held, since: firstArrived ?? held.since, queued };
  return { ...held, queued };
}

/**
 * Returns the hold of a stream whose queue can be applied further: the owner of its partition goes on if nobody else
 * does. What held the stream before is gone; an operator's skip must not find it.
 */
export function beingApplied({ since, queued }: Pick<Held, 'since' | 'queued'>): Held | null {
  return queued === 0
    ? null
    : { since, why: 'change', reason: 'Its queue is being applied', queued };
}
