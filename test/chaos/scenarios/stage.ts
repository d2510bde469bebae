// The small world of one scenario: its own topic, empty databases, processes of the product, a history in the log.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from 'kafkajs';
import type { MongoClient } from 'mongodb';
import { ACCESS_DATABASE } from '../../../src/access/connect.ts';
import type { EventLog } from '../../../src/event-log/event-log.ts';
import { openKafkaLog } from '../../../src/event-log/kafka/kafka-log.ts';
import { partitionOf } from '../../../src/event-log/partition-of.ts';
import type { KafkaConfig } from '../../../src/process/config.ts';
import { createLogger } from '../../../src/process/log.ts';
import type { GenerationCollections } from '../../../src/store/collections.ts';
import { plainClient, topicName } from '../../helpers/kafka.ts';
import { eventsOf, randomHistory } from '../../histories/history.ts';
import type { Random } from '../../histories/random.ts';
import type { LogEvent } from '../../model/stream.ts';
import { activeCollections, READ_MODEL } from '../active-collections.ts';
import { createBudgeting, type Ended, issueToken } from '../budgeting.ts';
import { caughtUp } from '../fresh-projection.ts';
import { type Exits, type Supervised, supervise } from '../product.ts';
import { startVisitors } from '../visitors.ts';
import { createWeather } from '../weather.ts';

export interface StageOptions {
  readonly kafka: KafkaConfig;
  readonly mongo: { readonly url: string; readonly client: MongoClient };
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly random: Random;
  readonly exits: Exits;
  readonly blame: (what: string) => void;
}

export interface Stage {
  readonly kafka: KafkaConfig;
  readonly topic: string;
  readonly partitions: number;
  /** Independent of the product. */
  readonly eventLog: EventLog;
  readonly projectors: readonly Supervised[];
  readonly reader: Supervised;
  readonly token: string;
  /** The history; its first half is in the log and applied when a scenario begins. */
  readonly subjects: readonly string[];
  /** The budgets that the user reaches. */
  readonly budgets: readonly string[];
  readonly blame: (what: string) => void;
  collections(): Promise<GenerationCollections>;
  /** Runs a command of the product. */
  budgeting(...args: readonly string[]): Promise<Ended>;
  /** Writes the second half of the history, like a producer. */
  goOn(): Promise<void>;
  /** Writes messages in order, like a producer. */
  produce(messages: readonly Message[]): Promise<void>;
  /** Starts one more projector. */
  addProjector(): Supervised;
  stop(): Promise<void>;
}

export const PARTITIONS = 4;
const EVENTS = 600;
const BUDGETS = 12;
const CAUGHT_UP_MS_MAX = 400_000;
const POLL_MS = 250;
const MANY = '100000000';
const LIMITS = ['IP_PER_MINUTE', 'TOKEN_READS_PER_MINUTE', 'USER_PER_MINUTE', 'USER_PER_DAY'];

export async function createStage(options: StageOptions): Promise<Stage> {
  const { kafka, mongo, random, exits, blame } = options;
  for (const name of [READ_MODEL, ACCESS_DATABASE]) await mongo.client.db(name).dropDatabase();
  const topic = topicName();
  const folder = join(options.folder, topic);
  await mkdir(folder);
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const one of stops.reverse()) await one();
  };
  try {
    const eventLog = await openKafkaLog(kafka, topic, {
      logger: createLogger('silent'),
      partitions: PARTITIONS,
    });
    stops.push(eventLog.close);
    const weather = createWeather();
    stops.push(weather.stop);
    const env = { ...options.env, ...envOf(kafka, mongo.url, { topic, folder }) };
    const budgeting = createBudgeting(env, join(folder, 'cli.log'));
    const token = await issueToken(budgeting);
    const processes: Supervised[] = [];
    stops.push(() => {
      for (const process of processes) process.abandon();
    });
    const start = (name: string, command: 'project' | 'serve') => {
      const process = supervise(name, command, { env, folder, blame, weather, exits });
      processes.push(process);
      return process;
    };
    const projectors = [start('projector-1', 'project')];
    const reader = start('reader-1', 'serve');
    const produce = createProduce(kafka, topic, stops);
    const events = historyOf(random);
    const half = Math.ceil(events.length / 2);
    await produce(events.slice(0, half).map(messageOf));
    await caughtUp(await activeCollections(mongo.client), eventLog, CAUGHT_UP_MS_MAX);
    while (reader.address('Read API') === null) await sleep(POLL_MS);
    const subjects = [...new Set(events.map(({ subject }) => subject))];
    const budgets = reachable(events);
    const visitors = startVisitors({
      ...{ readers: [reader], token, budgets, mortal: new Set<string>(), random, weather, blame },
    });
    stops.push(visitors.stop);
    return {
      ...{
        kafka,
        topic,
        partitions: PARTITIONS,
        eventLog,
        projectors,
        reader,
        token,
        subjects,
        budgets,
      },
      ...{ blame, budgeting, produce, stop },
      collections: () => activeCollections(mongo.client),
      goOn: () => produce(events.slice(half).map(messageOf)),
      addProjector() {
        const added = start(`projector-${projectors.length + 1}`, 'project');
        projectors.push(added);
        return added;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function envOf(
  kafka: KafkaConfig,
  url: string,
  { topic, folder }: { readonly topic: string; readonly folder: string },
) {
  return {
    MONGODB_URL: url,
    KAFKA_BROKERS: kafka.brokers.join(','),
    EVENTS_TOPIC: topic,
    DATA_DIR: folder,
    PORT: '0',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'info',
    ...Object.fromEntries(LIMITS.map(name => [`RATE_LIMIT_${name}`, MANY])),
  };
}

function historyOf(random: Random): LogEvent[] {
  const sizes = { events: EVENTS, budgets: BUDGETS, spaces: 2, users: 2 };
  const events = eventsOf(randomHistory({ seed: random.below(1e9), ...sizes }));
  // Events after a deletion are removed too, so that every budget lasts.
  const deleted = new Set<string>();
  return events.filter(({ type, subject }) => {
    if (type === 'budget.deleted') deleted.add(subject);
    return !deleted.has(subject);
  });
}

function reachable(events: readonly LogEvent[]): string[] {
  return events.flatMap(({ type, subject, data }) => {
    const { spaceId } = (data ?? {}) as { spaceId?: string };
    return type === 'budget.created' && spaceId !== 'space-nowhere' ? [subject] : [];
  });
}

export function messageOf(event: { readonly subject: string }): Message {
  const { subject } = event;
  const partition = partitionOf(subject, PARTITIONS);
  return { key: subject, value: JSON.stringify(event), partition };
}

function createProduce(kafka: KafkaConfig, topic: string, stops: (() => unknown)[]) {
  const producer = plainClient(kafka).producer({ idempotent: true, allowAutoTopicCreation: false });
  let connected: Promise<void> | undefined;
  stops.push(() => producer.disconnect());
  return async (messages: readonly Message[]) => {
    connected ??= producer.connect();
    await connected;
    await producer.send({ topic, acks: -1, messages: [...messages] });
  };
}
