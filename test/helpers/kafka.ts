// A real Kafka broker for tests: that of the whole run, or one for this test file alone.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestFn } from 'ava';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { findJava } from '../../scripts/kafka/find-java.ts';
import {
  type RunningKafka,
  type StartKafkaOptions,
  startKafka,
} from '../../scripts/kafka/start-kafka.ts';
import { type KafkaConfig, loadConfig } from '../../src/process/config.ts';
import { skipped } from './skipped.ts';

export interface TestKafka {
  readonly config: KafkaConfig;
  /** Stops the broker if this file started it. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 300_000;
const RETRY_MS = 20;

/**
 * The test function for tests that need Kafka. Without a broker and without Java they are skipped; under CI=true they
 * run, and fail.
 */
export function kafkaTest<T>(test: TestFn<T>): TestFn<T> {
  const { env } = process;
  const can = brokersOf(env) !== undefined || (!env.TEST_KAFKA_MISSING && findJava(env) !== null);
  if (can || env.CI === 'true') return test;
  const why = env.TEST_KAFKA_MISSING || 'No KAFKA_BROKERS and no Java 17';
  process.stderr.write(`${why}: tests that need Kafka are skipped\n`);
  return skipped(test);
}

/** Call in `test.before`, and `stop` in `test.after.always`. */
export async function useKafka(): Promise<TestKafka> {
  const brokers = brokersOf(process.env);
  if (brokers !== undefined) return { config: configOf(brokers), stop: async () => {} };
  const kafka = await ownKafka();
  return { config: configOf(kafka.brokers), stop: kafka.stop };
}

/** Starts a broker for this test file alone, which the test may restart or sign in to. */
export function ownKafka(
  options: Pick<StartKafkaOptions, 'secure' | 'settings'> = {},
): Promise<RunningKafka> {
  const report = (line: string) => process.stderr.write(`${line}\n`);
  return startKafka({ env: process.env, report, ...options });
}

export function configOf(brokers: string): KafkaConfig {
  return { brokers: brokers.split(','), tls: null, sasl: null };
}

/** Returns how programs sign in to a secure broker, as they read it from their environment. */
export function secureConfigOf({ secure }: RunningKafka, more: NodeJS.ProcessEnv): KafkaConfig {
  const { brokers = '', username = '', password = '' } = secure ?? {};
  return loadConfig({
    KAFKA_BROKERS: brokers,
    KAFKA_TLS: 'true',
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
    ...more,
  }).kafka as KafkaConfig;
}

/** Returns a client of the test, independent of the adapter. */
export function plainClient({ brokers }: KafkaConfig): Kafka {
  return new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
}

/**
 * Runs `operation` with an admin client. Retries for a while, because the broker does not know recent topics and
 * settings at once.
 */
export async function administer<T>(
  config: KafkaConfig,
  operation: (admin: Admin) => Promise<T>,
): Promise<T> {
  const admin = plainClient(config).admin();
  await admin.connect();
  const untilMs = performance.now() + PATIENCE_MS;
  try {
    for (;;) {
      try {
        return await operation(admin);
      } catch (error) {
        if (performance.now() > untilMs) throw error;
        await sleep(RETRY_MS);
      }
    }
  } finally {
    await admin.disconnect();
  }
}

/** Creates a topic like another program; resolves once it is usable. */
export async function createTopic(
  config: KafkaConfig,
  numPartitions: number,
  settings: Readonly<Record<string, string>> = { 'retention.ms': '-1' },
): Promise<string> {
  const topic = topicName();
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  await administer(config, async admin => {
    const topics = [{ topic, numPartitions, configEntries }];
    await admin.createTopics({ topics, waitForLeaders: false });
    await admin.fetchTopicOffsets(topic);
  });
  return topic;
}

/** Deletes a topic. A broker that confirms too late has deleted it all the same, so that a second try finds none. */
export function deleteTopic(config: KafkaConfig, topic: string): Promise<void> {
  return administer(config, async admin => {
    if ((await admin.listTopics()).includes(topic)) await admin.deleteTopics({ topics: [topic] });
  });
}

interface DeletedRecords {
  readonly topic: string;
  readonly partition: number;
  /** The first offset that stays. */
  readonly before: number;
}

/** Deletes records as retention does, but at once. */
export function deleteRecords(
  config: KafkaConfig,
  { topic, partition, before }: DeletedRecords,
): Promise<void> {
  return administer(config, async admin => {
    // kafkajs must fetch the topic's offsets first.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(before) }] });
  });
}

export function topicName(): string {
  return `test.${randomBytes(6).toString('hex')}`;
}

function brokersOf(env: NodeJS.ProcessEnv): string | undefined {
  return env.TEST_KAFKA_BROKERS || env.KAFKA_BROKERS || undefined;
}
