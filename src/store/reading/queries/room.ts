// Room in memory for answers that may be large: what one process makes and holds of them at one time has a bound.
import type { Reading } from '../../snapshot.ts';

/** Of all answers of a process (src/http/bounds.ts), and so of one. */
export const ANSWERS_BYTES_MAX = 100_000_000;
/** Less takes no room: many at once do not fill the memory. */
export const ROOMY_BYTES = 1_000_000;

export interface RoomySource {
  readonly reading: Reading;
  readonly set: string;
  /**
   * Takes room for an answer and what it is made of, in bytes, and gives back what the reading took before. Throws if there
   * is none.
   */
  readonly takeRoom: (bytes: number) => void;
}
