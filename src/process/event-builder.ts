// Builds the events of one stream, numbered one after the other.
import { createHash } from 'node:crypto';
import type { DomainEvent } from '../../schemas/generated/events.ts';

export type EventType = DomainEvent['type'];
export type DataOf<T extends EventType> = Extract<DomainEvent, { type: T }>['data'];

const ID_CHARACTERS_MAX = 128;

/** Returns the next event of the stream. `time` is an RFC 3339 time in UTC. */
export type BuildEvent = <T extends EventType>(
  type: T,
  data: DataOf<T>,
  time: string,
) => DomainEvent;

/**
 * @param stream `source` says who publishes; `first` is the sequence of the first event, 1 by default; `run` ends the
 *   events' ids
 */
export function createEventBuilder(stream: {
  readonly subject: string;
  readonly source: string;
  readonly first?: number;
  readonly run?: string;
}): BuildEvent {
  const { subject, source, first = 1, run } = stream;
  let sequence = first - 1;
  return (type, data, time) => {
    sequence += 1;
    const event = {
      specversion: '1.0',
      id: idOf(subject, run === undefined ? `${sequence}` : `${sequence}-${run}`),
      source,
      type,
      time,
      datacontenttype: 'application/json',
      subject,
      sequence,
      schemaversion: 1,
      data,
    };
    return event as DomainEvent;
  };
}

/** A stream may have as many characters as an event, so a long one is named by its digest. */
function idOf(subject: string, rest: string): string {
  const id = `${subject}-${rest}`;
  if (id.length <= ID_CHARACTERS_MAX) return id;
  return `${createHash('sha256').update(subject).digest('hex').slice(0, 32)}-${rest}`;
}
