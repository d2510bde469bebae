// Appends in transactions of one producer. Its fixed transactional id lets a new writer fence off the previous one.
import { type Kafka, Partitioners, type Producer, type Transaction } from 'kafkajs';
import { UserError } from '../../process/errors.ts';
import { type Appended, type NewRecord, RECORD_BYTES_MAX } from '../event-log.ts';
import { partitionOf } from '../partition-of.ts';
import { causeOf, explained, isFencedProducer, isTransientKafkaError } from './failure.ts';
import { type BrokerRetryOptions, retryUntilAnswered } from './servers.ts';

export interface AppenderOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly retryOptions: BrokerRetryOptions;
  readonly countPartitions: () => Promise<number>;
}

export interface Appender {
  /** Fences off all other writers; their unfinished transactions are never committed. */
  begin(): Promise<void>;
  append(records: readonly NewRecord[]): Promise<readonly Appended[]>;
  close(): Promise<void>;
}

interface OpenProducer {
  readonly producer: Producer;
  readonly transaction: Transaction;
}

/** Larger appends are split into several requests, so that no batch exceeds the default limit of a topic (1 MiB). */
const REQUEST_BYTES_MAX = 524_288;
/** The broker aborts a transaction that is open for longer. */
const TRANSACTION_TIMEOUT_MS = 60_000;
const RETRY = { retries: 10, initialRetryTime: 20, maxRetryTime: 2000 };

export function createAppender(options: AppenderOptions): Appender {
  let open: OpenProducer | null = null;
  const drop = async () => {
    const { producer } = open ?? {};
    open = null;
    await producer?.disconnect().catch(() => {});
  };
  return {
    async begin() {
      open ??= await openProducer(options);
    },
    async append(records) {
      checkSizes(records);
      const partitions = await options.countPartitions();
      open ??= await openProducer(options);
      const { producer, transaction } = open;
      const places = await inTransaction(transaction, () =>
        send(transaction, options.topic, toMessages(records, partitions)),
      ).catch(async error => {
        // kafkajs cannot reuse a producer whose transaction failed to end: the next append opens another.
        await drop();
        throw explained(error, options.retryOptions.name);
      });
      open = { producer, transaction: await producer.transaction() };
      return places;
    },
    close: drop,
  };
}

async function openProducer(options: AppenderOptions): Promise<OpenProducer> {
  const { kafka, topic, retryOptions } = options;
  const producer = kafka.producer({
    transactionalId: `${topic}.append`,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: RETRY,
  });
  try {
    await retryUntilAnswered(() => producer.connect(), retryOptions);
    const transaction = await retryUntilAnswered(() => producer.transaction(), retryOptions);
    return { producer, transaction };
  } catch (error) {
    await producer.disconnect().catch(() => {});
    throw error;
  }
}

async function inTransaction<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  try {
    const result = await work().catch(error => {
      throw isTransientKafkaError(error) ? awayError(error) : error;
    });
    await commit(transaction, startedAtMs);
    return result;
  } catch (error) {
    if (transaction.isActive()) await transaction.abort().catch(() => {});
    if (error instanceof UserError || !isFencedProducer(error)) throw error;
    throw fencedError(error, performance.now() - startedAtMs);
  }
}

interface PartitionedMessage extends NewRecord {
  readonly partition: number;
}

function toMessages(records: readonly NewRecord[], partitions: number): PartitionedMessage[] {
  return records.map(({ key, value }) => {
    return { key, value, partition: partitionOf(key, partitions) };
  });
}

async function send(
  transaction: Transaction,
  topic: string,
  all: readonly PartitionedMessage[],
): Promise<Appended[]> {
  const places: Appended[] = [];
  for (const messages of requestsOf(all)) {
    const nexts = new Map<number, number>();
    for (const { partition, baseOffset } of await transaction.send({ topic, messages })) {
      nexts.set(partition, Number(baseOffset));
    }
    for (const { partition } of messages) {
      const offset = nexts.get(partition);
      if (offset === undefined)
        throw new Error(`Kafka returned no offset for partition ${partition}`);
      nexts.set(partition, offset + 1);
      places.push({ partition, offset });
    }
  }
  return places;
}

/** Splits the messages into requests of at most REQUEST_BYTES_MAX; a larger message is sent alone. */
function* requestsOf(messages: readonly PartitionedMessage[]): Generator<PartitionedMessage[]> {
  let request: PartitionedMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(message.value) + Buffer.byteLength(message.key);
    if (request.length > 0 && bytes + size > REQUEST_BYTES_MAX) {
      yield request;
      request = [];
      bytes = 0;
    }
    request.push(message);
    bytes += size;
  }
  if (request.length > 0) yield request;
}

async function commit(transaction: Transaction, startedAtMs: number): Promise<void> {
  try {
    await transaction.commit();
  } catch (error) {
    // A writer that another one has fenced may have ended it before: only the answer was lost.
    if (isFencedProducer(error) && isLate(performance.now() - startedAtMs)) throw error;
    const { message } = causeOf(error);
    throw new UserError(
      `The log did not confirm the records (${message}): append them again, what is in the log already is refused`,
      { cause: error },
    );
  }
}

/** Nobody has asked for the commit yet: Kafka aborts what was sent. */
function awayError(cause: unknown): UserError {
  const { message } = causeOf(cause);
  const text = `Kafka was away during the append (${message}): nothing was appended; run it again`;
  return new UserError(text, { cause });
}

/** The broker refuses a transaction that took too long with the same error as one of a fenced writer. */
function fencedError(cause: unknown, ms: number): UserError {
  const seconds = Math.round(ms / 1000);
  const late = `Expected an append of at most ${TRANSACTION_TIMEOUT_MS / 1000} s, got one of ${seconds} s, which Kafka ended: nothing was appended; append fewer events at once`;
  const taken = 'Another writer has taken the log over: nothing was appended';
  return new UserError(isLate(ms) ? late : taken, { cause });
}

function checkSizes(records: readonly NewRecord[]): void {
  for (const [index, { value }] of records.entries()) {
    const bytes = Buffer.byteLength(value);
    if (bytes <= RECORD_BYTES_MAX) continue;
    throw new UserError(
      `Expected record ${index + 1} to have at most ${RECORD_BYTES_MAX} bytes, got ${bytes}`,
    );
  }
}

function isLate(ms: number): boolean {
  return ms > TRANSACTION_TIMEOUT_MS;
}
