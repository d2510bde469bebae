// How much memory garbage may take in a process that applies events.
import { setFlagsFromString } from 'node:v8';

/** In percent of what lives. */
const GARBAGE_MAX = 50;

/**
 * Has old objects collected when they have grown by half since the last time. Left to itself V8 waits until they
 * are a few times as many: what a replay leaves behind makes it expect more of the kind. docs/performance.md has both.
 */
export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_MAX}`);
}
