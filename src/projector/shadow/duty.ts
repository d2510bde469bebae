// What the owner of a partition does about streams that are held for work, so that none is held for work that nobody
// does. Pure.

/** The shadow set of a stream that is held for work; null without one. */
export type WorkOn = {
  readonly kind: 'event' | 'rebuild';
  /** The process that rebuilds the budget has not renewed its lease. */
  readonly isLapsed: boolean;
} | null;

/**
 * `write`: writes the big change. `give up`: ends a rebuild whose process is gone. `drain`: applies the queue.
 * `nothing`: a rebuild holds its lease.
 */
export type Duty = 'write' | 'give up' | 'drain' | 'nothing';

export function dutyOf(work: WorkOn): Duty {
  if (work === null) return 'drain';
  if (work.kind === 'event') return 'write';
  return work.isLapsed ? 'give up' : 'nothing';
}

/** Returns whether a claim may take a shadow set over: the last adopter's claim is older, or there was none. */
export function mayAdopt(adopted: number | undefined, epoch: number): boolean {
  return adopted === undefined || adopted < epoch;
}
