// The event log in a Kafka topic (events.md, "The envelope" and "Getting events in").

import type { KafkaConfig } from '../../config.ts';
import { delay } from '../../delay.ts';
import type { Log } from '../../log.ts';
import { settledWithin } from '../../settled-within.ts';
import type { Appended, Bounds, EventLog, NewRecord } from '../event-log.ts';
import { type Appender, createAppender } from './appender.ts';
import { countPartitions, openCluster, readBounds } from './cluster.ts';
import { installCodecs } from './codecs.ts';
import { createKafkaClient, type KafkaClient } from './kafka-client.ts';
import { createReaders } from './reader.ts';
import { scan } from './scan.ts';
import { answered, createServers, type Servers } from './servers.ts';
import { follow, type SubscriptionOptions } from './subscription.ts';
import { ensureTopic, settingsProblem } from './topic.ts';

export interface KafkaLogOptions {
  readonly log: Log;
  /** False: where there is no topic, none is made, and a MissingLogError says so (default true). */
  readonly create?: boolean;
  /** Shuts other writers out from now on, so that nobody appends between a check and what follows from it. */
  readonly writer?: boolean;
  /** How long brokers that do not answer are waited for (default: without end). */
  readonly waitMsMax?: number;
  /** Ends the wait at opening. */
  readonly signal?: AbortSignal;
  /** The topic must have so many; a new topic gets them (default 12). */
  readonly partitions?: number;
  /** Silence after which the group gives a process's partitions to others. */
  readonly sessionTimeoutMs?: number;
  /** How long a partition may stand still while the log has more. */
  readonly stillMsMax?: number;
}

const SESSION_TIMEOUT_MS = 15_000;
const STILL_MS_MAX = 120_000;
const VISIBLE_MS_MAX = 30_000;
const VISIBLE_POLL_MS = 2;
/** Servers that do not answer a goodbye find out by themselves. */
const LEAVE_MS_MAX = 2000;
const SETTINGS_AGE_MS_MAX = 30_000;

/** Opens the log in a topic; makes the topic where there is none. A UserError tells what is wrong with it. */
export async function openKafkaLog(
  config: KafkaConfig,
  topic: string,
  options: KafkaLogOptions,
): Promise<EventLog> {
  const { log } = options;
  await installCodecs(log);
  const newClient = () => createKafkaClient(config, log);
  const client = newClient();
  try {
    return await open(client, newClient, topic, options);
  } catch (error) {
    client.end();
    throw error;
  }
}

async function open(
  client: KafkaClient,
  newClient: () => KafkaClient,
  topic: string,
  options: KafkaLogOptions,
): Promise<EventLog> {
  const { log, waitMsMax = Number.POSITIVE_INFINITY, signal } = options;
  const { kafka } = client;
  const patience = { name: `topic ${topic}`, log, waitMsMax };
  const { partitions = null, create = true } = options;
  const topicOptions = { topic, partitions, create };
  await answered(() => ensureTopic(kafka, topicOptions, log), patience, signal);
  const connect = () => openCluster(kafka, topic);
  const servers = createServers(connect, patience);
  const countOf = () => servers.ask(cluster => countPartitions(cluster, topic));
  const appender = createAppender({ kafka, topic, patience, countPartitions: countOf });
  if (options.writer) await appender.begin();
  const subscribing = {
    newClient,
    topic,
    patience,
    openReader: createReaders(connect, topic),
    endOf: async (partition: number) =>
      (await servers.tryOnce(cluster => readBounds(cluster, topic, partition))).end,
    sessionTimeoutMs: options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS,
    stillMsMax: options.stillMsMax ?? STILL_MS_MAX,
  };
  const askSettings = () =>
    answered(() => settingsProblem(kafka, topic, log), patience, options.signal);
  const settings = keptFor(SETTINGS_AGE_MS_MAX, askSettings);
  return createLog({ topic, client, servers, appender, subscribing, settings });
}

/** Asks at most once in a while; who asks meanwhile gets the same answer. */
function keptFor<T>(ageMsMax: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let askedAt = 0;
  return () => {
    if (answer !== null && Date.now() - askedAt < ageMsMax) return answer;
    askedAt = Date.now();
    const asked = ask();
    // A failure is not kept.
    asked.catch(() => {
      if (answer === asked) answer = null;
    });
    answer = asked;
    return asked;
  };
}

interface Parts {
  readonly topic: string;
  readonly client: KafkaClient;
  readonly servers: Servers;
  readonly appender: Appender;
  readonly subscribing: Omit<SubscriptionOptions, 'group' | 'limits'>;
  readonly settings: () => Promise<string | null>;
}

function createLog(parts: Parts): EventLog {
  const { topic, client, servers, appender, subscribing, settings } = parts;
  const closing = new AbortController();
  const subscriptions = new Set<Promise<void>>();
  let appends: Promise<unknown> = Promise.resolve();
  return {
    name: `topic ${topic}`,
    partitions: () => servers.ask(cluster => countPartitions(cluster, topic)),
    bounds: partition => boundsOf(servers, topic, partition),
    settingsProblem: settings,
    scan: (partition, from, to, signal) => scan({ servers, topic, partition, from, to }, signal),
    append(records) {
      const appended = appends.then(() => append(servers, topic, appender, records));
      appends = appended.catch(() => {});
      return appended;
    },
    async subscribe(group, subscriber, limits, signal) {
      const options = { ...subscribing, group: `${topic}.${group}`, limits };
      const stop = AbortSignal.any([signal, closing.signal]);
      const subscription = follow(options, subscriber, stop);
      const settled = subscription.catch(() => {});
      subscriptions.add(settled);
      await subscription.finally(() => subscriptions.delete(settled));
    },
    async close() {
      closing.abort();
      await Promise.all([appends, ...subscriptions]);
      await Promise.all([
        settledWithin(LEAVE_MS_MAX, appender.close()),
        settledWithin(LEAVE_MS_MAX, servers.close()),
      ]);
      client.end();
    },
  };
}

function boundsOf(servers: Servers, topic: string, partition: number): Promise<Bounds> {
  return servers.ask(cluster => readBounds(cluster, topic, partition));
}

async function append(
  servers: Servers,
  topic: string,
  appender: Appender,
  records: readonly NewRecord[],
): Promise<readonly Appended[]> {
  if (records.length === 0) return [];
  const places = await appender.append(records);
  // A commit is answered before its marks are written: readers see the records a little later.
  const last = new Map(places.map(({ partition, offset }) => [partition, offset]));
  const deadline = Date.now() + VISIBLE_MS_MAX;
  for (const [partition, offset] of last) {
    while ((await boundsOf(servers, topic, partition)).end <= offset) {
      if (Date.now() > deadline) break;
      await delay(VISIBLE_POLL_MS);
    }
  }
  return places;
}
