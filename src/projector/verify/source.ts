// What a verification reads, and its limits.
import type { EventLog } from '../../event-log/event-log.ts';
import type { ReadDatabase } from '../../read-store/snapshot.ts';
import type { StoreParts } from '../store.ts';

export interface VerifySource {
  readonly database: ReadDatabase;
  readonly generation: string;
  readonly store: StoreParts;
  readonly eventLog: EventLog;
  /** Events that the streams of one pass may have together, default `PASS_EVENTS_MAX`. */
  readonly passEventsMax?: number;
  /** The waits before each further pass over streams that differ, in milliseconds; default `PAUSES_MS`. */
  readonly pausesMs?: readonly number[];
}

/**
 * Waits before a difference counts, so that work under way can end: what follows a chunk, a big change that is swapped
 * in, an operator's command. A stream whose sequence moves is compared again without using up a wait.
 */
export const PAUSES_MS: readonly number[] = [100, 500, 2000];

/** Events of one pass; a single stream with more events is a pass of its own. */
export const PASS_EVENTS_MAX = 100_000;
