// What a verification reads, and its limits.
import { getHeapStatistics } from 'node:v8';
import type { EventLog } from '../event-log/event-log.ts';
import type { StoreParts } from '../projector/store.ts';
import type { ReadDatabase } from '../store/snapshot.ts';

export interface VerifySource {
  readonly database: ReadDatabase;
  readonly generation: string;
  readonly store: StoreParts;
  readonly eventLog: EventLog;
  /** Events that the streams of one pass may have together, default `PASS_EVENTS_MAX`. */
  readonly passEventsMax?: number;
  /** Events that a stream may have, default `streamEventsMax()`; larger streams are left out, and reported. */
  readonly streamEventsMax?: number | undefined;
  /** The waits before each further pass over streams that differ, in milliseconds; default `PAUSES_MS`. */
  readonly pausesMs?: readonly number[];
}

/**
 * Waits before a difference counts, so that work under way can end: what follows a chunk, a big change that is swapped
 * in, an operator's command. The last one outlasts a disk that stands still for a moment. A stream whose sequence moves
 * is compared again without using up a wait.
 */
export const PAUSES_MS: readonly number[] = [100, 500, 2000, 10_000];

/** Events of one pass; a single stream with more events is a pass of its own. */
export const PASS_EVENTS_MAX = 100_000;

/** Memory per event of a stream: its folded rows take half of it, the rest of the process the other half. */
const HEAP_BYTES_PER_EVENT = 2048;

/** Returns how many events of one stream this process can fold in its memory, as far as Node lets its heap grow. */
export function streamEventsMax(): number {
  return Math.floor(getHeapStatistics().heap_size_limit / HEAP_BYTES_PER_EVENT);
}

/** Returns the heap that a stream of so many events needs, in megabytes. */
export function heapMegabytesFor(events: number): number {
  return Math.ceil((events * HEAP_BYTES_PER_EVENT) / 2 ** 20);
}

/** Returns the option of Node that gives it enough memory for so many events, as messages name it. */
export function heapOptionFor(events: number): string {
  return `Node's option --max-old-space-size=${heapMegabytesFor(events)}`;
}
