// What a committed reader may see of a fetched partition, and which offsets that accounts for. Pure.
import type { Bounds, LogRecord } from '../event-log.ts';

/** A record as kafkajs decodes it, with what it tells of the batch that held it. */
export interface FetchedRecord {
  readonly offset: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly isControlRecord: boolean;
  readonly batchContext: { readonly producerId: string; readonly inTransaction: boolean };
}

/** One partition of a fetch response (version 11), as kafkajs decodes it. */
export interface FetchedPartition {
  readonly partition: number;
  readonly lastStableOffset: string;
  /** The log start offset. */
  readonly lastStartOffset: string;
  readonly abortedTransactions: readonly {
    readonly producerId: string;
    readonly firstOffset: string;
  }[];
  readonly messages: readonly FetchedRecord[];
}

export interface VisibleRecords {
  /** The first offset accounted for: the one asked for, or a later one where the log has a hole before it. */
  readonly from: number;
  /** The offset to go on from: everything in between is in `records` or not for readers. */
  readonly to: number;
  readonly records: readonly LogRecord[];
  readonly bounds: Bounds;
}

/**
 * Leaves out marks of transactions and the records of aborted ones. kafkajs' own filter is not used: it lets records
 * of an aborted transaction through where two of them began before the fetched offset. Ends before a hole.
 *
 * @param asked the offset that was fetched; compressed batches may begin before it
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

/** To be asked for each record in order: aborted transactions are told by their first offset, and end with a mark. */
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
    const { producerId, inTransaction } = batchContext;
    // A commit mark of that producer cannot come before its abort mark.
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

  constructor({ key, value, timestamp }: FetchedRecord, partition: number, offset: number) {
    this.partition = partition;
    this.offset = offset;
    this.key = key === null ? null : key.toString('utf8');
    this.value = value;
    this.#writtenAt = timestamp;
  }

  /** Spelled when it is asked for, which is of hardly any record. */
  get timestamp(): string {
    return timeOf(this.#writtenAt);
  }
}

/** Producers may write any number; one that is no time counts as the beginning of time. */
function timeOf(timestamp: string): string {
  const time = new Date(Math.max(0, Number(timestamp)));
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}
