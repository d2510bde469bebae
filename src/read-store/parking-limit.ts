// When parked streams are taken for a bug of a release or of a producer. Pure.
import type { HeadChange } from './heads.ts';

/** Fewer parked streams never pause a generation, whatever their share. */
const PARKED_MIN = 20;
/** Below this share of all streams parking never pauses a generation. */
const SHARE_MIN = 0.1;
/** The window slides: every parking of the last 60 s counts. */
export const WINDOW_SECONDS = 60;

/** Returns how many streams, parked within the window, pause a generation of about so many streams. */
export function parkingLimit(streams: number): number {
  return Math.max(PARKED_MIN, Math.ceil(streams * SHARE_MIN));
}

/** Returns the changes that park a stream. A stream that was parked before, and is parked again, counts no more. */
export function newlyParked(changes: readonly HeadChange[]): HeadChange[] {
  return changes.filter(
    ({ loaded, now }) => now.held?.why === 'parked' && loaded?.held?.why !== 'parked',
  );
}

export function tooManyParked(parked: number, streams: number): string {
  return `${parked} of ${streams} streams would have been parked within ${WINDOW_SECONDS} s`;
}

/** The sentence for operators: what happened, and what to do. */
export function pausedMessage(generation: string, reason: string): string {
  return `${generation} is paused: ${reason}; look at budgeting parked list and the log, then budgeting parked resume`;
}
