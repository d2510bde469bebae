// One stream of the log in the model: its last sequence, its queue, and the reason why it is parked.
import type { Refusal } from './refusal.ts';

/** A CloudEvent of the log, of any type. */
export interface LogEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  time: string;
  datacontenttype?: string | null;
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
  /** The last applied sequence; that of a skipped event counts as applied. */
  sequence: number;
  lastId: string | null;
  /** By sequence, then arrival. If it is not empty, the stream is held. */
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

/** Returns whether the sequence is already applied, or this very event already waits. */
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

/** Reduces a deleted budget to its id and its last sequence, which is that of the deletion. */
export function erase(stream: Stream, deletion: LogEvent): void {
  stream.sequence = deletion.sequence;
  stream.isDeleted = true;
  stream.queue = [];
  stream.parked = null;
}

/** Returns the time of the parked event, or of the first of those that wait for a missing sequence. */
export function heldSince(stream: Stream): string | null {
  const byArrival = [...stream.queue].sort((a, b) => a.arrival - b.arrival);
  return (stream.parked?.waiting ?? byArrival[0])?.event.time ?? null;
}
