// What a verification works on.
import type { EventLog } from '../../event-log/event-log.ts';
import type { ReadDatabase } from '../../read-store/snapshot.ts';
import type { StoreParts } from '../store.ts';

export interface VerifySource {
  readonly database: ReadDatabase;
  readonly generation: string;
  readonly store: StoreParts;
  readonly eventLog: EventLog;
  /** Events that the streams of one pass may have together; absent: `PASS_EVENTS_MAX`. */
  readonly passEventsMax?: number;
  /** How long each further look at a stream that differs waits; absent: `PAUSES_MS`. */
  readonly pausesMs?: readonly number[];
}

/**
 * What may be under way has this long to end: a chunk's follow-up, a big change that is swapped in, an operator's
 * command. As long as a stream moves on, it is looked at again.
 */
export const PAUSES_MS: readonly number[] = [100, 500, 2000];

/** A single larger stream is a pass of its own. */
export const PASS_EVENTS_MAX = 100_000;
