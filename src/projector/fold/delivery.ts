// A record on its way to its stream: decoded, and with all that is needed should it have to wait.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { shownTime } from '../../../projections/time.ts';
import type { DomainEvent } from '../../../schemas/generated/events.ts';
import { type Decoded, decode } from '../../event-log/decode.ts';
import type { StoredWaiting } from '../../read-store/collections.ts';

export interface Delivery {
  readonly partition: number;
  readonly offset: number;
  /** The stream; null for a record that belongs to none. */
  readonly subject: string | null;
  /** 0 for a record that tells none. */
  readonly sequence: number;
  /** Where the record tells none: a hash of its bytes, so that the same record again is known. */
  readonly eventId: string;
  /** As it is shown: UTC with milliseconds; of a record that tells none, when the log says it was written. */
  readonly time: string;
  /** The event, or null for a type that this version does not know or a record that is none. */
  readonly event: DomainEvent | null;
  /** Why it cannot be applied whatever came before; null for a valid or unknown event. */
  readonly problem: string | null;
  /** The record's value as it came. */
  readonly value: Uint8Array | string | null;
}

/** The time shown for a record that tells none in a log that keeps none. */
const NO_TIME = '1970-01-01T00:00:00.000Z';

export interface RawRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly value: Uint8Array | string | null;
  readonly timestamp?: string;
}

export function deliveryOf(record: RawRecord): Delivery {
  const { partition, offset, value } = record;
  return { partition, offset, value, ...partsOf(decode(value, record.key), record) };
}

function partsOf(
  decoded: Decoded,
  record: RawRecord,
): Omit<Delivery, 'partition' | 'offset' | 'value'> {
  if (decoded.kind === 'invalid') {
    const { subject, sequence, id, time, reason } = decoded;
    const shown = time === null ? (record.timestamp ?? NO_TIME) : shownTime(time);
    const eventId = id ?? hashOf(textOf(record.value));
    const at = { subject, sequence: sequence ?? 0, eventId, time: shown };
    return { ...at, event: null, problem: reason };
  }
  const envelope = decoded.kind === 'event' ? decoded.event : decoded.envelope;
  return {
    subject: envelope.subject,
    sequence: envelope.sequence,
    eventId: envelope.id,
    time: shownTime(envelope.time),
    event: decoded.kind === 'event' ? decoded.event : null,
    problem: null,
  };
}

/** Returns the delivery as a queue stores it. */
export function storedDelivery(id: string, delivery: Delivery): StoredWaiting {
  const { subject, sequence, partition, offset, eventId, time } = delivery;
  const value = textOf(delivery.value);
  const stored = { _id: id, subject: subject ?? '', sequence, partition, offset, eventId, value };
  // Only a record that is no event may need the time that the log gave it.
  return delivery.problem === null ? stored : { ...stored, timestamp: time };
}

function hashOf(text: string): string {
  return `hash:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/**
 * A record's value as a queue keeps it; bytes that are no UTF-8 come in base64, for with replacement characters in it a
 * broken text could pass for a valid event when its queue is tried again.
 */
export function textOf(value: RawRecord['value']): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return Buffer.from(value).toString(isUtf8(value) ? 'utf8' : 'base64');
}
