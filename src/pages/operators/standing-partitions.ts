// Which partitions have events to apply and stand still, from one snapshot of the status to the next.
import type { PartitionStatus } from '../../projector/operate/system-status.ts';

/**
 * A projector may take this long to claim its first partition. One without a partition after that is a spare, because
 * there are more projectors than partitions; it is ready as long as the others keep up.
 */
export const SHARE_MS_MAX = 15_000;

interface Standing {
  readonly next: number;
  /** Since when it has events to apply and stands there, in epoch milliseconds; null without any. */
  readonly sinceMs: number | null;
}

interface Moment {
  readonly at: Date;
  /** Nobody works meanwhile, and owners keep their partitions. */
  readonly paused: boolean;
}

export interface StandingPartitions {
  /** Returns whether it has stood for `SHARE_MS_MAX` with events to apply. `place` names it within all generations. */
  isStuck(place: string, status: PartitionStatus, moment: Moment): boolean;
  /** Nothing is known of the partitions, so their times begin again. */
  forgetTimes(): void;
}

export function createStandingPartitions(): StandingPartitions {
  const places = new Map<string, Standing>();
  return {
    isStuck(place, { next, lagEvents }, { at, paused }) {
      const last = places.get(place);
      const nowMs = at.getTime();
      const sinceMs = paused || lagEvents === 0 ? null : sinceMsOf(last, next, nowMs);
      places.set(place, { next, sinceMs });
      // A clock that is set back makes nothing move.
      return sinceMs !== null && Math.abs(nowMs - sinceMs) >= SHARE_MS_MAX;
    },
    forgetTimes() {
      for (const [place, { next }] of places) places.set(place, { next, sinceMs: null });
    },
  };
}

function sinceMsOf(last: Standing | undefined, next: number, nowMs: number): number {
  // Nothing is known of the time before the first snapshot: it counts as one that stands still.
  if (last === undefined) return Number.NEGATIVE_INFINITY;
  return last.next === next ? (last.sinceMs ?? nowMs) : nowMs;
}
