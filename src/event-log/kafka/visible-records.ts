// Selects the records of a fetch that a read-committed consumer sees, and the offsets that they cover; splits them into
// batches within the limits. Records in binary mode become structured JSON, which is all that the program reads. Pure.
import { isUtf8 } from 'node:buffer';
import type { Batch, BatchLimits, LogRecord } from '../event-log.ts';

/** A record as kafkajs decodes it, with fields of its batch. */
export interface FetchedRecord {
  readonly offset: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Absent in formats before Kafka 0.11. */
  readonly headers?: Headers;
  readonly isControlRecord: boolean;
  /** Absent in formats before Kafka 0.11, which had no transactions. */
  readonly batchContext?: { readonly producerId: string; readonly inTransaction: boolean };
}

/** One partition of a fetch response (version 11), as kafkajs decodes it. */
export interface FetchedPartition {
  readonly partition: number;
  readonly lastStableOffset: string;
  /** The offset after the last record, whether or not its transaction has ended. */
  readonly highWatermark?: string;
  /** The log start offset. */
  readonly lastStartOffset: string;
  readonly abortedTransactions: readonly {
    readonly producerId: string;
    readonly firstOffset: string;
  }[];
  readonly messages: readonly FetchedRecord[];
}

/** The visible records of a fetch; `to` is the offset to continue from. */
export type VisibleRecords = Pick<Batch, 'from' | 'to' | 'records' | 'bounds'>;

/**
 * Leaves out transaction markers and records of aborted transactions, and ends before a hole. Replaces kafkajs' own
 * filter, which lets records of an aborted transaction pass if two of them began before the fetched offset.
 *
 * @param asked the requested offset; compressed batches may begin before it
 */
export function visibleRecords(fetched: FetchedPartition, asked: number): VisibleRecords {
  const { messages, partition } = fetched;
  const isAborted = abortedFilter(fetched);
  const records: LogRecord[] = [];
  let from = asked;
  let to: number | null = null;
  for (const message of messages) {
    const offset = Number(message.offset);
    const aborted = isAborted(message, offset);
    if (offset < asked) continue;
    from = to === null ? offset : from;
    if (offset > (to ?? offset)) break;
    to = offset + 1;
    if (!message.isControlRecord && !aborted)
      records.push(new VisibleRecord(message, partition, offset));
  }
  const end = Math.max(Number(fetched.lastStableOffset), to ?? 0);
  return {
    from,
    to: to ?? asked,
    records,
    bounds: { start: Number(fetched.lastStartOffset), end },
  };
}

/**
 * Returns a filter that must see each record in order: a response names an aborted transaction by its first offset, and
 * a marker ends it.
 */
function abortedFilter({ abortedTransactions }: FetchedPartition) {
  const begun = [...abortedTransactions]
    .map(({ producerId, firstOffset }) => ({ producerId, first: Number(firstOffset) }))
    .sort((a, b) => b.first - a.first);
  const aborting = new Set<string>();
  return ({ batchContext, isControlRecord }: FetchedRecord, offset: number): boolean => {
    for (let next = begun.at(-1); next && next.first <= offset; next = begun.at(-1)) {
      aborting.add(next.producerId);
      begun.pop();
    }
    if (!batchContext) return false;
    const { producerId, inTransaction } = batchContext;
    // The next marker of an aborting producer is its abort marker.
    if (isControlRecord) aborting.delete(producerId);
    return inTransaction && aborting.has(producerId);
  };
}

class VisibleRecord implements LogRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly value: Buffer | null;
  readonly #writtenAt: string;

  constructor(
    { key, value, headers, timestamp }: FetchedRecord,
    partition: number,
    offset: number,
  ) {
    this.partition = partition;
    this.offset = offset;
    this.key = key === null ? null : key.toString('utf8');
    this.value = structuredValue(value, headers);
    this.#writtenAt = timestamp;
  }

  /** Formatted on demand, because hardly any record's time is read. */
  get timestamp(): string {
    return timeOf(this.#writtenAt);
  }
}

/** Producers may write any number: an invalid time becomes 1970-01-01. */
function timeOf(timestamp: string): string {
  const time = new Date(Math.max(0, Number(timestamp)));
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}

/** Records of a batch, and the offsets from `from` up to, not including, `to` that they cover. */
export type Cut = Omit<VisibleRecords, 'bounds'>;

/** The last batch covers the rest of the fetch; offsets without visible records make an empty batch. */
export function* cutBatches(
  { from, to, records }: VisibleRecords,
  { recordsMax, bytesMax }: BatchLimits,
): Generator<Cut> {
  let begin = from;
  let batch: LogRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = record.value?.length ?? 0;
    if (batch.length > 0 && (batch.length === recordsMax || bytes + size > bytesMax)) {
      const end = (batch.at(-1)?.offset ?? begin) + 1;
      yield { from: begin, to: end, records: batch };
      begin = end;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += size;
  }
  if (to > begin) yield { from: begin, to, records: batch };
}

/** The headers of a record as kafkajs decodes them; one that comes twice is a list. */
export type Headers = Readonly<Record<string, Buffer | readonly Buffer[] | null | undefined>>;

/** Of headers with attributes in binary mode: the value is the data (CloudEvents, Kafka protocol binding 1.0, 3.2). */
const PREFIX = 'ce_';
/** These are no headers of attributes: data is the value. */
const DATA = ['ce_data', 'ce_data_base64'];
const CONTENT_TYPE = 'content-type';
const STRUCTURED = /^application\/cloudevents/i;

/**
 * Returns the value of a record in structured JSON: unchanged without `ce_` headers, and where the content type says that
 * it is structured. Data that is no JSON becomes `data_base64`, so that decoding can name what it is.
 */
export function structuredValue(value: Buffer | null, headers: Headers | undefined): Buffer | null {
  const names = headers === undefined ? [] : Object.keys(headers);
  const attributes = names.filter(name => name.startsWith(PREFIX) && !DATA.includes(name));
  if (headers === undefined || attributes.length === 0) return value;
  // Its bytes are ASCII: with others it is still a header, and no type that the schema accepts.
  const contentType = textOf(headers[CONTENT_TYPE], 'latin1');
  if (typeof contentType === 'string' && STRUCTURED.test(contentType)) return value;
  const event = Object.fromEntries(
    attributes.map(name => [name.slice(PREFIX.length), textOf(headers[name], 'utf8')]),
  );
  const envelope = contentType === undefined ? event : { ...event, datacontenttype: contentType };
  const json = JSON.stringify(envelope);
  if (value === null || value.length === 0) return Buffer.from(json);
  const member = isJson(value)
    ? `"data":${value}`
    : `"data_base64":${JSON.stringify(value.toString('base64'))}`;
  // There is an attribute before it, so a comma fits.
  return Buffer.from(`${json.slice(0, -1)},${member}}`);
}

/** Undefined without the header; null for bytes that are no UTF-8, which no attribute accepts. */
function textOf(header: Headers[string], encoding: 'utf8' | 'latin1'): unknown {
  if (header === undefined || header === null) return header;
  if (!Buffer.isBuffer(header)) return header.map(one => textOf(one, encoding));
  return encoding === 'latin1' || isUtf8(header) ? header.toString(encoding) : null;
}

function isJson(value: Buffer): boolean {
  if (!isUtf8(value)) return false;
  try {
    JSON.parse(value.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
