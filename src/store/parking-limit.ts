// Decides when so many streams are parked that a release or a producer must have a bug. Pure.
import type { Pause } from './collections.ts';
import type { HeadChange } from './heads.ts';

/** Fewer parked streams never pause a generation, whatever their share. */
const PARKED_MIN = 20;
/** Below this share of all streams parking never pauses a generation. */
const SHARE_MIN = 0.1;
/** The window slides: every parking of the last 60 s counts. */
export const WINDOW_SECONDS = 60;

/** Returns the number of streams parked within the window that pauses a generation of about `streams` streams. */
export function parkingLimit(streams: number): number {
  return Math.max(PARKED_MIN, Math.ceil(streams * SHARE_MIN));
}

/** Returns the changes that park a stream, without those of streams that are parked already. */
export function newlyParked(changes: readonly HeadChange[]): HeadChange[] {
  return changes.filter(
    ({ loaded, now }) => now.held?.why === 'parked' && loaded?.held?.why !== 'parked',
  );
}

export function tooManyParked(parked: number, streams: number): string {
  return `${parked} of ${streams} streams would have been parked within ${WINDOW_SECONDS} s`;
}

/** Returns a sentence for operators: what happened, and what to do. */
export function pausedMessage(generation: string, reason: string): string {
  return `${generation} is paused: ${reason}; look at budgeting parked list and the log, then budgeting parked resume`;
}

/** Returns that sentence and some of the streams, each as a line; none if the generation is not paused. */
export function describePause(generation: string, pause: Pause | null): string[] {
  if (!pause) return [];
  const examples = pause.examples.map(
    ({ stream, reason }) => `${generation}: ${stream} would have been parked: ${reason}`,
  );
  return [pausedMessage(generation, pause.reason), ...examples];
}
