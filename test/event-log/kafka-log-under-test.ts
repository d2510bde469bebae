// A log in its own Kafka topic for one test, with other writers.
import type { ExecutionContext } from 'ava';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { type KafkaLogOptions, openKafkaLog } from '../../src/event-log/kafka/kafka-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import type { KafkaConfig } from '../../src/process/config.ts';
import { createLogger } from '../../src/process/log.ts';
import { plainClient, topicName } from '../helpers/kafka.ts';
import type { LogUnderTest } from './log-under-test.ts';

/** Opens a log that is closed when the test ends. */
export async function openForTest(
  t: ExecutionContext,
  topic: string,
  { config, ...options }: Partial<KafkaLogOptions> & { readonly config: KafkaConfig },
): Promise<EventLog> {
  const eventLog = await openKafkaLog(config, topic, {
    logger: createLogger(process.env.TEST_LOG_LEVEL ?? 'silent'),
    // Longer than the process may stall: a member that times out claims everything again.
    sessionTimeoutMs: 10_000,
    partitions: 2,
    ...options,
  });
  t.teardown(() => eventLog.close());
  return eventLog;
}

export async function createKafkaLog(
  t: ExecutionContext,
  config: KafkaConfig,
  partitions: number,
): Promise<LogUnderTest> {
  const topic = topicName();
  const open = (writer: boolean) => openForTest(t, topic, { config, partitions, writer });
  return {
    partitions,
    open: role => open(role === 'writer'),
    async appendElsewhere(records) {
      const eventLog = await open(true);
      await eventLog.append(records);
      await eventLog.close();
    },
    /** Leaves an open transaction. */
    async abandon(records) {
      const producer = plainClient(config).producer({ transactionalId: `${topic}.append` });
      await producer.connect();
      const transaction = await producer.transaction();
      const messages = records.map(({ key, value }) => {
        return { key, value, partition: partitionOf(key, partitions) };
      });
      await transaction.send({ topic, messages });
      await producer.disconnect();
    },
  };
}
