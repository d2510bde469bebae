// Limits the memory that garbage takes in a process that applies events.
import { setFlagsFromString } from 'node:v8';

/** In percent of the live objects' memory. */
const GARBAGE_PERCENT_MAX = 60;

/**
 * Collects old objects whenever the heap has grown by this much since the last collection. By default V8 waits until it
 * has grown several times over, because it expects a replay's growth to go on. Measured in docs/notebook.md.
 */
export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT_MAX}`);
}
