// Decodes samples of events after a change to their data.
import { readJson } from '../../scripts/generate/schema-files.ts';
import { decode } from '../../src/event-log/decode.ts';

type Event = Record<string, unknown> & { data: Record<string, unknown> };

export function sample(type: string): Event {
  return readJson(`schemas/events/samples/${type}.json`) as unknown as Event;
}

/** Returns the problem of a type's sample after a change to its data, or "event" if it stays valid. */
export function judged(type: string, change: Record<string, unknown>): string {
  const event = sample(type);
  const decoded = decode(JSON.stringify({ ...event, data: { ...event.data, ...change } }));
  return decoded.kind === 'invalid' ? `${decoded.problem}: ${decoded.reason}` : decoded.kind;
}
