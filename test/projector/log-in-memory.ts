// Logs in memory: one of a single partition, which a test adds to and damages, and one of several partitions, whose records
// a test puts wherever it likes.
import { DamagedLogError, type EventLog, type LogRecord } from '../../src/event-log/event-log.ts';

export const PARTITION = 0;

/** A log of one partition whose records a test adds, removes or forges. */
export interface StubLog extends EventLog {
  /** All records from offset 0 on, whatever the log's start is. */
  readonly records: LogRecord[];
  start: number;
  /** Offsets without a visible record, like markers of transactions. */
  readonly hidden: Set<number>;
  /** An object is an event; a RawValue is the value of a record under its key. */
  add(...events: readonly (object | RawValue)[]): void;
}

export interface RawValue {
  readonly key: string | null;
  readonly raw: Uint8Array | string | null;
}

export function stubLog(): StubLog {
  const records: LogRecord[] = [];
  const eventLog: StubLog = {
    ...logOf([records], {
      name: 'the test log',
      start: () => eventLog.start,
      isHidden: offset => eventLog.hidden.has(offset),
    }),
    records,
    start: 0,
    hidden: new Set(),
    add(...events) {
      for (const event of events) records.push(recordOf(event, records.length));
    },
  };
  return eventLog;
}

function recordOf(event: object | RawValue, offset: number): LogRecord {
  const at = { partition: PARTITION, offset };
  if ('raw' in event) {
    const { key, raw } = event;
    return { ...at, key, value: typeof raw === 'string' ? Buffer.from(raw) : raw };
  }
  const { subject } = event as { subject: string };
  return { ...at, key: subject, value: Buffer.from(JSON.stringify(event)) };
}

/** A record and its partition; its offset is its place among those of the partition. */
export type Placed = readonly [partition: number, key: string | null, value: string | object];

export function placedLog(partitions: number, placed: readonly Placed[]): EventLog {
  const records: LogRecord[][] = Array.from({ length: partitions }, () => []);
  for (const [partition, key, value] of placed) {
    const own = records[partition] ?? [];
    own.push({ partition, offset: own.length, key, value: bytesOf(value) });
  }
  return logOf(records, { name: 'the placed log', start: () => 0, isHidden: () => false });
}

function bytesOf(value: Placed[2]): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

interface LogOptions {
  readonly name: string;
  readonly start: () => number;
  readonly isHidden: (offset: number) => boolean;
}

function logOf(
  partitions: readonly (readonly LogRecord[])[],
  { name, start, isHidden }: LogOptions,
): EventLog {
  const recordsOf = (partition: number) => partitions[partition] ?? [];
  return {
    name,
    partitions: async () => partitions.length,
    settingsProblem: async () => null,
    bounds: async partition => ({ start: start(), end: recordsOf(partition).length }),
    async *scan({ partition, from, to }) {
      if (from < start()) throw new DamagedLogError(`The log does not hold offset ${from}`);
      const found = recordsOf(partition).slice(from, to);
      const visible = found.filter(({ offset }) => !isHidden(offset));
      if (visible.length > 0) yield visible;
    },
    append: () => Promise.reject(new Error('This log is written by the test')),
    subscribe: () => Promise.reject(new Error('This log is read by the test')),
    close: async () => {},
  };
}
