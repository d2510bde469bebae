// Appends by transactions of one producer: its fixed transactional id lets a later writer shut an earlier one out.
import { type Kafka, Partitioners, type Producer, type Transaction } from 'kafkajs';
import { UserError } from '../../errors.ts';
import { type Appended, type NewRecord, RECORD_BYTES_MAX } from '../event-log.ts';
import { partitionOf } from '../partition-of.ts';
import { causeOf, isFencedProducer } from './failure.ts';
import { answered, type Patience } from './servers.ts';

export interface AppenderOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly patience: Patience;
  readonly countPartitions: () => Promise<number>;
}

export interface Appender {
  /** Shuts other writers out from now on; none of their unfinished transactions is ever committed. */
  begin(): Promise<void>;
  append(records: readonly NewRecord[]): Promise<readonly Appended[]>;
  close(): Promise<void>;
}

interface Open {
  readonly producer: Producer;
  readonly transaction: Transaction;
}

/** Bytes of one request: below what a topic takes in one batch by default, whatever the partitions. */
const REQUEST_BYTES_MAX = 524_288;
/** A transaction that its writer left open is aborted by the broker after this. */
const TRANSACTION_TIMEOUT_MS = 60_000;
const RETRY = { retries: 10, initialRetryTime: 20, maxRetryTime: 2000 };

export function createAppender(options: AppenderOptions): Appender {
  let open: Open | null = null;
  const drop = async () => {
    const { producer } = open ?? {};
    open = null;
    await producer?.disconnect().catch(() => {});
  };
  return {
    async begin() {
      open ??= await begun(options);
    },
    async append(records) {
      checkSizes(records);
      const partitions = await options.countPartitions();
      open ??= await begun(options);
      const { producer, transaction } = open;
      const places = await inTransaction(transaction, () =>
        send(transaction, options.topic, records, partitions),
      ).catch(async error => {
        // kafkajs cannot go on after a failed end of a transaction: the next append begins afresh.
        await drop();
        throw error;
      });
      open = { producer, transaction: await producer.transaction() };
      return places;
    },
    close: drop,
  };
}

async function begun({ kafka, topic, patience }: AppenderOptions): Promise<Open> {
  const producer = kafka.producer({
    transactionalId: `${topic}.append`,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: RETRY,
  });
  try {
    await answered(() => producer.connect(), patience);
    return { producer, transaction: await answered(() => producer.transaction(), patience) };
  } catch (error) {
    await producer.disconnect().catch(() => {});
    throw error;
  }
}

async function inTransaction<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await commit(transaction);
    return result;
  } catch (error) {
    if (transaction.isActive()) await transaction.abort().catch(() => {});
    throw isFencedProducer(error) ? shutOut(error) : error;
  }
}

async function send(
  transaction: Transaction,
  topic: string,
  records: readonly NewRecord[],
  partitions: number,
): Promise<Appended[]> {
  const places: Appended[] = [];
  for (const request of requestsOf(records)) {
    const messages = request.map(({ key, value }) => {
      return { key, value, partition: partitionOf(key, partitions) };
    });
    const nexts = new Map<number, number>();
    for (const { partition, baseOffset } of await transaction.send({ topic, messages })) {
      nexts.set(partition, Number(baseOffset));
    }
    for (const { partition } of messages) {
      const offset = nexts.get(partition);
      if (offset === undefined) throw new Error(`Kafka told no offset for partition ${partition}`);
      nexts.set(partition, offset + 1);
      places.push({ partition, offset });
    }
  }
  return places;
}

function* requestsOf(records: readonly NewRecord[]): Generator<NewRecord[]> {
  let request: NewRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(record.value) + Buffer.byteLength(record.key);
    if (request.length > 0 && bytes + size > REQUEST_BYTES_MAX) {
      yield request;
      request = [];
      bytes = 0;
    }
    request.push(record);
    bytes += size;
  }
  if (request.length > 0) yield request;
}

async function commit(transaction: Transaction): Promise<void> {
  try {
    await transaction.commit();
  } catch (error) {
    if (isFencedProducer(error)) throw error;
    const { message } = causeOf(error);
    throw new UserError(
      `It is not known whether the records were appended (${message}): append them again, what is in the log already is refused`,
      { cause: error },
    );
  }
}

function shutOut(error: unknown): UserError {
  return new UserError('Another writer has taken the log over: nothing was appended', {
    cause: error,
  });
}

function checkSizes(records: readonly NewRecord[]): void {
  for (const [index, { value }] of records.entries()) {
    const bytes = Buffer.byteLength(value);
    if (bytes <= RECORD_BYTES_MAX) continue;
    throw new UserError(
      `Record ${index + 1} has ${bytes} bytes, expected at most ${RECORD_BYTES_MAX}`,
    );
  }
}
