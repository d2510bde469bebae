// What a verification works on.
import type { EventLog } from '../../event-log/event-log.ts';
import type { ReadDatabase } from '../../read-store/snapshot.ts';
import type { StoreParts } from '../store.ts';

export interface VerifySource {
  readonly database: ReadDatabase;
  readonly generation: string;
  readonly store: StoreParts;
  readonly log: EventLog;
  /** Events that the streams of one pass may have together; absent: `PASS_EVENTS_MAX`. */
  readonly passEventsMax?: number;
}

/** A single larger stream is a pass of its own. */
export const PASS_EVENTS_MAX = 100_000;
