// Describes a paused generation for operators: the reason, what to do, and some of the streams that caused it.
import { pausedMessage } from '../../store/parking-limit.ts';
import type { Pause } from '../../store/stored-alarm.ts';

/** Returns the lines to print; none if the generation is not paused. */
export function describePause(generation: string, pause: Pause | null): string[] {
  if (!pause) return [];
  const examples = pause.examples.map(
    ({ stream, reason }) => `${generation}: ${stream} would have been parked: ${reason}`,
  );
  return [pausedMessage(generation, pause.reason), ...examples];
}
