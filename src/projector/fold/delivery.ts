// A record on its way to its stream: decoded, with everything that a queue needs to store it.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { shownTime } from '../../../projections/time.ts';
import {
  BUDGET_EVENT_TYPES,
  type DomainEvent,
  SPACE_EVENT_TYPES,
} from '../../../schemas/generated/events.ts';
import { decode, type InvalidRecord } from '../../event-log/decode.ts';
import type { LogRecord } from '../../event-log/event-log.ts';
import { summaryOfLarge } from '../../event-log/parse-record.ts';
import type { StoredQuarantined, StoredQueueEntry } from '../../store/collections.ts';
import type { NearType } from '../../store/near-types.ts';
import { misplacedReason } from './home.ts';

export interface Delivery {
  readonly partition: number;
  readonly offset: number;
  /** The stream; null for a record that belongs to none. */
  readonly subject: string | null;
  /** 0 for a record without a sequence. */
  readonly sequence: number;
  /** A hash of the value where the record has no id, so that a repeated record is recognized. */
  readonly eventId: string;
  /** UTC with milliseconds; for a record without a time, when it was written to the log. */
  readonly time: string;
  /** Null for an invalid record, and for an event type that this version does not know. */
  readonly event: DomainEvent | null;
  /** Why the record itself is invalid; null for a valid event and for an unknown type. */
  readonly problem: string | null;
  /** Its unknown type, if that is nearly a known one. */
  readonly nearType?: Pick<NearType, 'type' | 'known'>;
  /** The record's value, not decoded. */
  readonly value: Uint8Array | string | null;
}

/** Stands where neither the record nor the log has a time. */
export const NO_TIME = '1970-01-01T00:00:00.000Z';

/** A record of a log, or an entry of a queue, whose value is text. */
export type RawRecord = Omit<LogRecord, 'value'> & { readonly value: LogRecord['value'] | string };

/** Returns the delivery of a record of a log with so many partitions. One that lies elsewhere belongs to no stream. */
export function deliveryFromLog(record: RawRecord, partitions: number): Delivery {
  const delivery = deliveryOf(record);
  const { subject } = delivery;
  const problem = subject === null ? null : misplacedReason(subject, delivery, partitions);
  return problem === null ? delivery : { ...delivery, subject: null, event: null, problem };
}

/** Returns the delivery of a record that is known to be at its home, like an entry of a queue. */
export function deliveryOf(record: RawRecord): Delivery {
  const { partition, offset, value } = record;
  const decoded = decode(value, record.key);
  if (decoded.kind === 'invalid') return invalidDelivery(record, decoded);
  const isEvent = decoded.kind === 'event';
  const envelope = isEvent ? decoded.event : decoded.envelope;
  const delivery: Delivery = {
    partition,
    offset,
    subject: envelope.subject,
    sequence: envelope.sequence,
    eventId: envelope.id,
    time: shownTime(envelope.time),
    event: isEvent ? decoded.event : null,
    problem: null,
    value,
  };
  // An object with the same fields for nearly all deliveries, of which a replay makes millions.
  const { type } = envelope;
  const known = isEvent ? null : nearKnownType(type);
  return known === null ? delivery : { ...delivery, nearType: { type, known } };
}

function invalidDelivery(record: RawRecord, invalid: InvalidRecord): Delivery {
  const { partition, offset, value } = record;
  const { subject, sequence, id, time, reason } = invalid;
  return {
    partition,
    offset,
    subject,
    sequence: sequence ?? 0,
    eventId: id ?? hashOf(textOf(value)),
    time: time === null ? (record.timestamp ?? NO_TIME) : shownTime(time),
    event: null,
    problem: reason,
    value,
  };
}

/** Returns the delivery as a queue stores it. */
export function storedDelivery(id: string, delivery: Delivery): StoredQueueEntry {
  const { subject, sequence, partition, offset, eventId, time } = delivery;
  const value = textOf(delivery.value);
  const stored = { _id: id, subject: subject ?? '', sequence, partition, offset, eventId, value };
  // Only an invalid record may have to take its time from the log.
  return delivery.problem === null ? stored : { ...stored, timestamp: time };
}

/** Returns the delivery as the quarantine stores it: without its value, which would outlive the deletion of its budget. */
export function storedQuarantined(delivery: Delivery): StoredQuarantined {
  const { partition, offset, problem } = delivery;
  const stored = storedDelivery(`${partition}/${offset}`, { ...delivery, value: null });
  return { ...stored, reason: problem ?? 'It names no stream' };
}

function hashOf(text: string): string {
  return `hash:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/**
 * Returns a record's value as text for a queue. Bytes that are not UTF-8 become base64: with replacement characters, a
 * broken text could pass for a valid event when the queue is retried. A value that is too large becomes its summary, from
 * which the same delivery is read again.
 */
export function textOf(value: RawRecord['value']): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return summaryOfLarge(value) ?? Buffer.from(value).toString(isUtf8(value) ? 'utf8' : 'base64');
}

/** A longer text is no mistake in a type. */
const TYPE_LENGTH_MAX = 200;

const KNOWN_TYPES: readonly string[] = [...SPACE_EVENT_TYPES, ...BUDGET_EVENT_TYPES];

/** Returns the known type from which an unknown one differs in case alone, or by what stands before it; null for others. */
export function nearKnownType(type: string): string | null {
  if (type.length > TYPE_LENGTH_MAX) return null;
  const lower = type.toLowerCase();
  return KNOWN_TYPES.find(known => lower === known || /[./:]$/.test(before(lower, known))) ?? null;
}

/** Returns what stands before the end of a text; nothing where it ends otherwise. */
function before(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : '';
}

/** Returns whether an event has an effect on a held stream at once. */
export function mayComeOutOfTurn({ event }: Delivery): boolean {
  return event?.type === 'space.member-removed' || event?.type === 'budget.deleted';
}

/** Returns what the ids of the queue entries with one sequence have in common. */
export function queuePrefix({ subject, sequence }: Delivery): string {
  return `${subject}/${String(sequence).padStart(10, '0')}/`;
}
