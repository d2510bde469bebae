// A new topic on the bench's broker, written by a plain producer.
import { randomBytes } from 'node:crypto';
import kafkajs, { type Producer } from 'kafkajs';
import type { NewRecord } from '../../src/event-log/event-log.ts';
import { patchKafkajs } from '../../src/event-log/kafka/kafkajs-defects.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import type { Mongod } from './mongod.ts';
import type { Broker } from './servers.ts';

export interface Topic {
  readonly name: string;
  readonly broker: Broker;
  /** Number of records in each partition so far. */
  readonly ends: readonly number[];
  /** Appends records in order, in large batches. */
  append(records: Iterable<NewRecord>): Promise<void>;
  close(): Promise<void>;
}

const RECORDS_MAX = 2000;

export async function createTopic(broker: Broker, partitions: number): Promise<Topic> {
  // Without it Node 24 warns of a negative timer.
  patchKafkajs();
  const kafka = new kafkajs.Kafka({
    brokers: broker.brokers.split(','),
    logLevel: kafkajs.logLevel.NOTHING,
  });
  const name = `bench.${randomBytes(6).toString('hex')}`;
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = [{ name: 'retention.ms', value: '-1' }];
  await admin.createTopics({
    topics: [{ topic: name, numPartitions: partitions, configEntries }],
    waitForLeaders: true,
  });
  await admin.disconnect();
  const producer = kafka.producer();
  await producer.connect();
  const ends = new Array<number>(partitions).fill(0);
  return {
    name,
    broker,
    ends,
    async append(records) {
      let batch: NewRecord[] = [];
      for (const record of records) {
        if (batch.push(record) < RECORDS_MAX) continue;
        await send(producer, { topic: name, records: batch, ends });
        batch = [];
      }
      if (batch.length > 0) await send(producer, { topic: name, records: batch, ends });
    },
    close: () => producer.disconnect(),
  };
}

/** Returns the number of records in all partitions so far. */
export function recordsIn({ ends }: Topic): number {
  return ends.reduce((total, end) => total + end, 0);
}

interface Batch {
  readonly topic: string;
  readonly records: readonly NewRecord[];
  /** Raised by the records of each partition. */
  readonly ends: number[];
}

async function send(producer: Producer, { topic, records, ends }: Batch): Promise<void> {
  const messages = records.map(record => {
    const partition = partitionOf(record.key, ends.length);
    ends[partition] = (ends[partition] ?? 0) + 1;
    return { ...record, partition };
  });
  await producer.send({ topic, messages });
}

/** Returns the environment of a process that projects the topic into the database. */
export function environmentOf(
  { url }: Mongod,
  { broker, name }: Topic,
): Readonly<Record<string, string>> {
  return { MONGODB_URL: url, KAFKA_BROKERS: broker.brokers, EVENTS_TOPIC: name };
}
