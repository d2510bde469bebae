// The topic: created if it is missing, and refused if its settings would lose events.
import kafkajs, { type Admin, type Kafka } from 'kafkajs';
import { UserError } from '../../process/errors.ts';
import type { Logger } from '../../process/log.ts';
import { delay } from '../../process/waiting.ts';
import { MissingLogError } from '../event-log.ts';
import { READ_BYTES_MAX } from '../parse-record.ts';
import { causeOf, isTransientKafkaError, isUnknownTopic, notYet } from './failure.ts';

/** Partitions of a topic that this program creates. */
export const PARTITIONS_DEFAULT = 12;
/** Enough for the largest record and Kafka's overhead. */
const MESSAGE_BYTES_MAX = 2_097_152;
const MESSAGE_BYTES = 'max.message.bytes';

/** Required settings of the topic: every event is kept forever. */
const REQUIRED: Readonly<Record<string, string>> = {
  'cleanup.policy': 'delete',
  'retention.ms': '-1',
  'retention.bytes': '-1',
};

export interface TopicOptions {
  readonly topic: string;
  /** Partitions of a new topic. */
  readonly partitions: number;
  /** Creates a missing topic. */
  readonly create: boolean;
}

/** A new topic takes a moment to be known to every broker; after these attempts it counts as missing. */
const LIST_ATTEMPTS_MAX = 10;
const LIST_INTERVAL_MS = 200;

/**
 * Creates the topic if it is missing and `create` is true, and checks its settings.
 *
 * @throws MissingLogError if it is missing and `create` is false
 * @throws UserError that names the wrong setting
 */
export async function ensureTopic(
  kafka: Kafka,
  options: TopicOptions,
  logger: Logger,
): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    if (options.create) await create(admin, options, logger);
    else await expectTopic(admin, options.topic);
    const settings = await settingsOf(admin, options.topic, logger);
    const problem = problemOf(options.topic, settings);
    if (problem !== null) throw new UserError(problem);
    warnOfLargeRecords(options.topic, settings, logger);
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

async function create(admin: Admin, options: TopicOptions, logger: Logger): Promise<void> {
  const { topic, partitions } = options;
  if ((await askAdmin(() => admin.listTopics())).includes(topic)) return;
  const settings = { ...REQUIRED, [MESSAGE_BYTES]: String(MESSAGE_BYTES_MAX) };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  try {
    const made = await admin.createTopics({
      topics: [{ topic, numPartitions: partitions, configEntries }],
      waitForLeaders: true,
    });
    if (made) logger.info({ topic, partitions }, 'Topic created');
  } catch (error) {
    if (isTransientKafkaError(error)) throw error;
    await refuseHidden(admin, topic);
    const { message } = innermost(error);
    throw new UserError(
      `There is no topic ${topic}, and it could not be made (${message}): make it with ${requiredSettings()}`,
      { cause: error },
    );
  }
}

async function expectTopic(admin: Admin, topic: string): Promise<void> {
  for (let attempt = 1; attempt <= LIST_ATTEMPTS_MAX; attempt += 1) {
    if ((await askAdmin(() => admin.listTopics())).includes(topic)) return;
    await delay(LIST_INTERVAL_MS);
  }
  await refuseHidden(admin, topic);
  throw new MissingLogError(`topic ${topic}`);
}

/** A topic that this user must not describe is not listed either: asking for its metadata fails with that reason. */
async function refuseHidden(admin: Admin, topic: string): Promise<void> {
  await admin.fetchTopicMetadata({ topics: [topic] }).catch((error: unknown) => {
    if (!isUnknownTopic(error)) throw error;
  });
}

/** If no broker answers, kafkajs dereferences null: the TypeError becomes a transient error. */
async function askAdmin<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw notYet('No broker answered');
  }
}

// kafkajs wraps the errors of several topics in one error.
function innermost(error: unknown): { readonly message: string } {
  const { errors } = causeOf(error) as { errors?: readonly Error[] };
  return causeOf(errors?.[0] ?? error);
}

function requiredSettings(): string {
  return Object.entries(REQUIRED)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** Returns a sentence for people that names a setting which would lose events, or null. */
export async function settingsProblem(
  kafka: Kafka,
  topic: string,
  logger: Logger,
): Promise<string | null> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return problemOf(topic, await settingsOf(admin, topic, logger));
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

type Settings = readonly { readonly configName: string; readonly configValue: string }[];

/** Returns the settings that matter; none if this user may not read them, which is logged. */
async function settingsOf(admin: Admin, topic: string, logger: Logger): Promise<Settings> {
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const configNames = [...Object.keys(REQUIRED), MESSAGE_BYTES];
  const described = await admin
    .describeConfigs({ includeSynonyms: false, resources: [{ type, name: topic, configNames }] })
    .catch((error: unknown) => {
      if (isTransientKafkaError(error)) throw error;
      const { message } = causeOf(error);
      logger.warn({ topic }, `The settings of the topic could not be checked: ${message}`);
      return null;
    });
  return described?.resources[0]?.configEntries ?? [];
}

function problemOf(topic: string, settings: Settings): string | null {
  for (const { configName, configValue } of settings) {
    const expected = REQUIRED[configName];
    if (expected === undefined || expected === configValue) continue;
    return `Topic ${topic} would lose events: expected ${configName}=${expected}, got ${configValue}; change that setting of the topic`;
  }
  return null;
}

/** Nothing is lost, so the topic is not refused: each such record parks its stream, or is quarantined. */
function warnOfLargeRecords(topic: string, settings: Settings, logger: Logger): void {
  const largest = settings.find(({ configName }) => configName === MESSAGE_BYTES)?.configValue;
  if (largest === undefined || Number(largest) <= READ_BYTES_MAX) return;
  logger.warn(
    `Topic ${topic} takes larger records than are read: expected ${MESSAGE_BYTES} of at most ${READ_BYTES_MAX}, got ${largest}`,
  );
}
