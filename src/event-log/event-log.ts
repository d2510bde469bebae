// The port to the event log: all that the rest of the process knows of Kafka or of the embedded folder.

/** One record as the log holds it. Its bytes may be a view into a larger buffer: copy what is kept for long. */
export interface LogRecord {
  readonly partition: number;
  /** Position within the partition; never re-numbered, but (on Kafka) not without holes. */
  readonly offset: number;
  /** The stream (CloudEvents `subject`); null for a record that was written without one. */
  readonly key: string | null;
  readonly value: Uint8Array | null;
  /** When it was written, as the log tells it (ISO 8601 in UTC); absent where the log keeps no times. */
  readonly timestamp?: string;
}

/** What a partition holds: offsets from `start` up to, not including, `end`. */
export interface Bounds {
  readonly start: number;
  /** Offset of the next record to be written. */
  readonly end: number;
}

export interface NewRecord {
  /** The stream: all records of one key go to one partition, in order. */
  readonly key: string;
  /** One JSON text without line feeds, as JSON.stringify makes it. */
  readonly value: string;
}

export interface Appended {
  readonly partition: number;
  readonly offset: number;
}

/**
 * Records of one partition in order, and the range of offsets that they account for. There may be none: Kafka gives
 * offsets to things that no reader sees (marks of transactions, records of aborted ones).
 */
export interface Batch {
  readonly partition: number;
  /** The first offset accounted for: the one wanted, or a later one where the log has a hole in between. */
  readonly from: number;
  /** The offset that follows: nothing that readers may see lies in the range but `records`. */
  readonly to: number;
  readonly records: readonly LogRecord[];
  /** The partition's bounds as they were when the batch was read. */
  readonly bounds: Bounds;
  /** To be called now and then during long work and long waits: a sign that it goes on. */
  readonly heartbeat: () => Promise<void>;
  /** Aborts when the partition is taken away or the subscription stops: what is not begun is left to others. */
  readonly signal: AbortSignal;
}

/**
 * What follows a batch: the next offset wanted (normally `to`); or `halt` where nothing more is to be delivered from
 * the partition; or `lost` where another process turned out to have it: it is claimed anew if it still falls to this
 * one.
 */
export type Outcome = number | 'halt' | 'lost';

/** Takes what a subscription delivers. */
export interface Subscriber {
  /**
   * Claims the partition; answers the offset to start from, or null where nothing is to be delivered from it.
   * Called again after `revoked` whenever it was uncertain who has the partition, or what the log holds.
   */
  assigned(partition: number, heartbeat: () => Promise<void>): Promise<number | null>;
  /**
   * Applies records in order. Called for one batch of a partition at a time, and never after `revoked`.
   * A rejection is fatal for the subscription.
   */
  batch(batch: Batch): Promise<Outcome>;
  /** The partition is given back; called once for each `assigned` that answered an offset. */
  revoked(partition: number): Promise<void>;
}

/** A batch ends where either is reached; a single larger record still comes, alone. */
export interface BatchLimits {
  readonly recordsMax: number;
  readonly bytesMax: number;
}

/** A log of events in partitions, behind which stand Kafka and the embedded folder (events.md). */
export interface EventLog {
  /** For messages: "folder …" or "topic …". */
  readonly name: string;
  partitions(): Promise<number>;
  bounds(partition: number): Promise<Bounds>;
  /**
   * Returns what is wrong with the settings by which the log keeps its events, in a sentence for people, or null. At
   * most 30 seconds old.
   */
  settingsProblem(): Promise<string | null>;
  /**
   * Records from an offset up to (not including) another, in batches bounded in records and bytes,
   * then ends; it ends early at the end of the log or when the signal aborts.
   */
  scan(
    partition: number,
    from: number,
    to: number,
    signal?: AbortSignal,
  ): AsyncIterable<readonly LogRecord[]>;
  /** All of them or none; in order within a key. Answers each record's place, in the order given. */
  append(records: readonly NewRecord[]): Promise<readonly Appended[]>;
  /**
   * Follows all partitions that are assigned to this process until the signal aborts
   * (then finishes the batch in hand, calls `revoked`, resolves).
   */
  subscribe(
    group: string,
    subscriber: Subscriber,
    limits: BatchLimits,
    signal: AbortSignal,
  ): Promise<void>;
  close(): Promise<void>;
}

/** The largest value of a record, in bytes of UTF-8 (also what a Kafka topic takes by default). */
export const RECORD_BYTES_MAX = 1_048_576;
