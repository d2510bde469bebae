// What operators are told of a paused generation: why it is paused, what to do, and some of the streams that caused it.

import { pausedMessage } from '../read-store/parking-limit.ts';
import type { Pause } from '../read-store/stored-alarm.ts';

/** Returns no line where the generation is not paused. */
export function pauseLines(generation: string, pause: Pause | null): string[] {
  if (!pause) return [];
  const examples = pause.examples.map(
    ({ stream, reason }) => `${generation}: ${stream} would have been parked: ${reason}`,
  );
  return [pausedMessage(generation, pause.reason), ...examples];
}
