// One stream of the log in the model: its last number, what waits in its queue and why it is parked.
import type { Refusal } from './refusal.ts';

/** A CloudEvent of the log, of any type. */
export interface LogEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  time: string;
  datacontenttype?: 'application/json' | null;
  subject: string;
  sequence: number;
  schemaversion: number;
  data?: unknown;
}

export interface Waiting {
  event: LogEvent;
  schemaValid: boolean;
  arrival: number;
}

export interface Stream {
  subject: string;
  /** The last applied number; a skipped event's counts as applied. */
  sequence: number;
  lastId: string | null;
  /** By sequence, then arrival. Not empty: the stream is held. */
  queue: Waiting[];
  parked: { waiting: Waiting; refusal: Refusal } | null;
  isDeleted: boolean;
}

export function createStream(subject: string): Stream {
  return { subject, sequence: 0, lastId: null, queue: [], parked: null, isDeleted: false };
}

export function enqueue(stream: Stream, waiting: Waiting): void {
  stream.queue.push(waiting);
  stream.queue.sort((a, b) => a.event.sequence - b.event.sequence || a.arrival - b.arrival);
}

/** A number already applied, or the very event that waits already. */
export function isRepeated(stream: Stream, event: LogEvent, skipped: ReadonlySet<string>): boolean {
  if (event.sequence < stream.sequence) return true;
  if (event.sequence === stream.sequence) {
    const isKnown = event.id === stream.lastId || skipped.has(event.id);
    if (isKnown || stream.isDeleted) return true;
  }
  return stream.queue.some(
    ({ event: other }) => other.sequence === event.sequence && other.id === event.id,
  );
}

/** A deleted budget leaves only its id and last number; that of the deletion counts as the last. */
export function erase(stream: Stream, deletion: LogEvent): void {
  stream.sequence = deletion.sequence;
  stream.isDeleted = true;
  stream.queue = [];
  stream.parked = null;
}

/** The time of the parked event, or of the first to arrive of those that wait for a missing number. */
export function heldSince(stream: Stream): string | null {
  const byArrival = [...stream.queue].sort((a, b) => a.arrival - b.arrival);
  return (stream.parked?.waiting ?? byArrival[0])?.event.time ?? null;
}
