// The topic: made where there is none, and refused where it would lose or reorder events.

import kafkajs, { type Admin, type Kafka } from 'kafkajs';
import { delay } from '../../delay.ts';
import { UserError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { MissingLogError } from '../missing-log.ts';
import { causeOf, isPassing, isUnknownTopic } from './failure.ts';

/** Partitions of a topic that is made here. */
export const PARTITIONS_DEFAULT = 12;
/** A record of the greatest size with what Kafka adds to it. */
const MESSAGE_BYTES_MAX = 2_097_152;

/** What the topic must have: events are kept for ever, and each of them. */
const REQUIRED: Readonly<Record<string, string>> = {
  'cleanup.policy': 'delete',
  'retention.ms': '-1',
  'retention.bytes': '-1',
};

export interface TopicOptions {
  readonly topic: string;
  /** A topic that exists must have so many, a new one gets them. Null: 12 for a new one. */
  readonly partitions: number | null;
  /** Whether it is made where it is missing. */
  readonly create: boolean;
}

/** A topic that was just made is not known to every broker at once. */
const LOOKS_MAX = 10;
const LOOK_MS = 200;

/**
 * Makes the topic unless it is there or is not to be made, and checks it.
 *
 * @throws MissingLogError where it is missing and not to be made
 * @throws UserError that names the setting, or the other number of partitions
 */
export async function ensureTopic(kafka: Kafka, options: TopicOptions, log: Log): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    if (options.create) await create(admin, options, log);
    else await expectTopic(admin, options.topic);
    const problem = await problemOf(admin, options.topic, log);
    if (problem !== null) throw new UserError(problem);
    await checkPartitions(admin, options);
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

async function create(admin: Admin, options: TopicOptions, log: Log): Promise<void> {
  const { topic } = options;
  if ((await answerOf(() => admin.listTopics())).includes(topic)) return;
  const settings = { ...REQUIRED, 'max.message.bytes': String(MESSAGE_BYTES_MAX) };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  const numPartitions = options.partitions ?? PARTITIONS_DEFAULT;
  try {
    const made = await admin.createTopics({
      topics: [{ topic, numPartitions, configEntries }],
      waitForLeaders: true,
    });
    if (made) log.info({ topic, partitions: numPartitions }, 'Topic created');
  } catch (error) {
    if (isPassing(error)) throw error;
    const { message } = innermost(error);
    throw new UserError(
      `There is no topic ${topic}, and it could not be made (${message}): make it with ${needed()}`,
      { cause: error },
    );
  }
}

async function expectTopic(admin: Admin, topic: string): Promise<void> {
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    if ((await answerOf(() => admin.listTopics())).includes(topic)) return;
    await delay(LOOK_MS);
  }
  // A topic that may not be described is not listed either: that error says what is wrong.
  await admin.fetchTopicMetadata({ topics: [topic] }).catch((error: unknown) => {
    if (!isUnknownTopic(error)) throw error;
  });
  throw new MissingLogError(`topic ${topic}`);
}

/** Where no broker answers, kafkajs takes null for an answer and reads from it. */
async function answerOf<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const passing = { name: 'KafkaJSBrokerNotFound', retriable: true };
    throw Object.assign(new Error('No broker answered'), passing);
  }
}

// kafkajs collects the errors of topics in one.
function innermost(error: unknown): { readonly message: string } {
  const { errors } = causeOf(error) as { errors?: readonly Error[] };
  return causeOf(errors?.[0] ?? error);
}

function needed(): string {
  return Object.entries(REQUIRED)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** Returns which setting of the topic would lose events, in a sentence for people, or null. */
export async function settingsProblem(
  kafka: Kafka,
  topic: string,
  log: Log,
): Promise<string | null> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await problemOf(admin, topic, log);
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

async function problemOf(admin: Admin, topic: string, log: Log): Promise<string | null> {
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const configNames = Object.keys(REQUIRED);
  const described = await admin
    .describeConfigs({ includeSynonyms: false, resources: [{ type, name: topic, configNames }] })
    .catch((error: unknown) => {
      if (isPassing(error)) throw error;
      const { message } = causeOf(error);
      log.warn({ topic }, `The settings of the topic could not be checked: ${message}`);
      return null;
    });
  for (const { configName, configValue } of described?.resources[0]?.configEntries ?? []) {
    const expected = REQUIRED[configName];
    if (expected === undefined || expected === configValue) continue;
    return `Topic ${topic} would lose events: expected ${configName}=${expected}, got ${configValue}; change that setting of the topic`;
  }
  return null;
}

async function checkPartitions(admin: Admin, { topic, partitions }: TopicOptions): Promise<void> {
  if (partitions === null) return;
  const { topics } = await answerOf(() => admin.fetchTopicMetadata({ topics: [topic] }));
  const count = topics[0]?.partitions.length;
  if (count === partitions) return;
  throw new UserError(`Topic ${topic} has ${count} partitions, expected ${partitions}`);
}
