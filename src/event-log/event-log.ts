// The port to the event log: the rest of the program uses Kafka and the embedded folder only through it.
import { UserError } from '../process/errors.ts';

/** One stored record. Its bytes may be a view into a larger buffer: copy them to keep them for long. */
export interface LogRecord {
  readonly partition: number;
  /** Position within the partition; never renumbered. On Kafka offsets may have holes. */
  readonly offset: number;
  /** The stream (CloudEvents `subject`); null for a record written without a key. */
  readonly key: string | null;
  readonly value: Uint8Array | null;
  /** When it was written (ISO 8601, UTC); absent if the log stores no times. */
  readonly timestamp?: string;
}

/** The offsets that a partition holds: from `start` up to, not including, `end`. */
export interface LogBounds {
  readonly start: number;
  /** Offset of the next record to be written. */
  readonly end: number;
}

/** The part of a partition from one offset up to, not including, another. */
export interface PartitionRange {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

export interface NewRecord {
  /** The stream: all records of one key are stored in one partition, in order. */
  readonly key: string;
  /** One JSON text without line feeds, as JSON.stringify writes it. */
  readonly value: string;
}

export interface Appended {
  readonly partition: number;
  readonly offset: number;
}

/**
 * Records of one partition in order, and the range of offsets that they cover. A batch may hold no records: on Kafka
 * transaction markers and records of aborted transactions have offsets, but are never delivered.
 */
export interface Batch {
  readonly partition: number;
  /** The first offset covered: the requested one, or a later one if the log has a hole there. */
  readonly from: number;
  /** The offset after the range; `records` holds everything deliverable in it. */
  readonly to: number;
  readonly records: readonly LogRecord[];
  /** The partition's bounds when the batch was read. */
  readonly bounds: LogBounds;
  /** Call it regularly during long work and long waits, to show that the batch makes progress. */
  readonly heartbeat: () => Promise<void>;
  /** Aborts when the partition is revoked or the subscription stops: start no further work then. */
  readonly signal: AbortSignal;
}

/**
 * What to deliver after a batch: the next offset (normally `to`); `halt`: nothing more from this partition; `lost`:
 * another process has claimed the partition, so it is claimed again if it is still assigned to this process.
 */
export type Outcome = number | 'halt' | 'lost';

/** Receives what a subscription delivers. */
export interface Subscriber {
  /**
   * Claims the partition. Returns the offset to start from, or null to receive nothing from it.
   * Called again after `revoked` whenever the partition's owner or the log's content was uncertain.
   */
  assigned(partition: number, heartbeat: () => Promise<void>): Promise<number | null>;
  /**
   * Called before each delivery of the partition. Returns null to take more at once, which the log may have read already.
   * Otherwise the log waits, and holds no records of the partition in memory meanwhile. `lost` is the outcome of a batch
   * (Outcome), without one. A subscriber without it always takes more at once.
   */
  ready?(
    partition: number,
    waiting: Pick<Batch, 'heartbeat' | 'signal'>,
  ): Promise<void> | 'lost' | null;
  /**
   * Applies records in order. Called for one batch of a partition at a time, never after `revoked`.
   * A rejection ends the subscription.
   */
  batch(batch: Batch): Promise<Outcome>;
  /**
   * Called when the records that are due are missing or cannot be read, with a sentence that says so. Nothing more comes
   * from the partition. Without it the subscription ends.
   */
  damaged?(partition: number, message: string): Promise<void>;
  /** Gives the partition back. Called once for each `assigned` that returned an offset. */
  revoked(partition: number): Promise<void>;
}

/** A batch ends at whichever limit comes first; a larger record is delivered alone. */
export interface BatchLimits {
  readonly recordsMax: number;
  readonly bytesMax: number;
}

export interface SubscribeOptions {
  /** On Kafka the consumer group that shares the partitions; a folder gives all of them to every subscription. */
  readonly group: string;
  readonly limits: BatchLimits;
  readonly signal: AbortSignal;
}

/** From `from` up to, not including, `to`; none where both are the same. */
export interface HiddenOffsets {
  readonly from: number;
  readonly to: number;
}

/** A partitioned log of events, in Kafka or in the embedded folder (rules/events.md#one-topic-kept-for-ever). */
export interface EventLog {
  /** For messages: "folder …" or "topic …". */
  readonly name: string;
  partitions(): Promise<number>;
  /** @param reached an offset that the log has reached; a projector asks Kafka for 12 seconds while a broker is not there yet */
  bounds(partition: number, reached?: number): Promise<LogBounds>;
  /**
   * Returns a sentence for people if the log's settings would lose events, otherwise null. The result is at most
   * 30 seconds old.
   */
  settingsProblem(): Promise<string | null>;
  /**
   * Returns the offsets of a partition that readers do not see yet, because a transaction of a producer has not ended;
   * absent in a log without transactions.
   */
  hiddenOffsets?(partition: number): Promise<HiddenOffsets>;
  /**
   * Yields the records of a range in batches bounded in records and bytes.
   * Ends early at the end of the log or when the signal aborts.
   */
  scan(range: PartitionRange, signal?: AbortSignal): AsyncIterable<readonly LogRecord[]>;
  /** Appends all records or none, in order within a key. Returns the place of each record, in the given order. */
  append(records: readonly NewRecord[]): Promise<readonly Appended[]>;
  /**
   * Follows all partitions assigned to this process until the signal aborts. Then it finishes the current batches,
   * calls `revoked` for each partition and resolves.
   */
  subscribe(subscriber: Subscriber, options: SubscribeOptions): Promise<void>;
  close(): Promise<void>;
}

/** Largest value of a record in bytes of UTF-8, also the default limit of a Kafka topic; a larger one is refused. */
export const RECORD_BYTES_MAX = 1_048_576;

/** Returns the bounds of each partition of the log, in order. On Kafka, each takes two requests to the brokers. */
export async function allBounds(eventLog: EventLog): Promise<LogBounds[]> {
  const all: LogBounds[] = [];
  for (let partition = 0; partition < (await eventLog.partitions()); partition += 1) {
    all.push(await eventLog.bounds(partition));
  }
  return all;
}

/** Records are missing from the log, or a part of it cannot be read, as opposed to a log that is only unreachable. */
export class DamagedLogError extends UserError {}

/** The error for opening a log that is missing and must not be created. */
export class MissingLogError extends UserError {
  /** Completes "There is no …": `topic …` or `log in …`. */
  readonly what: string;

  constructor(what: string) {
    super(`There is no ${what}`);
    this.what = what;
  }
}
