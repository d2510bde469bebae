// The event log in a Kafka topic (rules/events.md#structured-and-binary-mode, rules/events.md#append).
import type { KafkaConfig } from '../../process/config.ts';
import type { Logger } from '../../process/log.ts';
import { waitAtMost } from '../../process/waiting.ts';
import type { Appended, EventLog, LogBounds, NewRecord } from '../event-log.ts';
import { reachedBounds, VISIBLE_MS_MAX } from '../visible-bounds.ts';
import { type Appender, createAppender } from './appender.ts';
import { countPartitions, openCluster, readBounds, readHiddenOffsets } from './cluster.ts';
import { notYet } from './failure.ts';
import { createFetchers } from './fetcher.ts';
import { createKafkaClient, type KafkaClient } from './kafka-client.ts';
import { installCodecs } from './record-batches.ts';
import { scan } from './scan.ts';
import { createServers, retryUntilAnswered, type Servers } from './servers.ts';
import { followTopic, type TopicSubscriptionOptions } from './subscription.ts';
import { ensureTopic, PARTITIONS_DEFAULT, settingsProblem } from './topic.ts';

/** After this time the others have replaced a broker that is cut off from them (9 seconds by default). */
const BEHIND_MS_MAX = 12_000;

export interface KafkaLogOptions {
  readonly logger: Logger;
  /** Creates a missing topic (default true); if false, a missing topic is a MissingLogError. */
  readonly create?: boolean;
  /** Fences off other writers, so that none appends between a check and the append that relies on it. */
  readonly writer?: boolean;
  /** How long to wait for silent brokers before failing (default: forever). */
  readonly waitMsMax?: number;
  /** Ends the wait for brokers while opening. */
  readonly signal?: AbortSignal;
  /** Partitions of a new topic (default 12). */
  readonly partitions?: number;
  /** A process that sends no heartbeat for longer loses its partitions to others (default 15 s). */
  readonly sessionTimeoutMs?: number;
  /** A partition without progress for longer, while the log has more, ends the subscription (default 120 s). */
  readonly stallMsMax?: number;
}

const SESSION_TIMEOUT_MS = 15_000;
const STALL_MS_MAX = 120_000;
/** Closing does not wait longer: brokers time out silent clients on their own. */
const LEAVE_MS_MAX = 2000;
const SETTINGS_AGE_MS_MAX = 30_000;

/**
 * Opens the log in a topic, and creates the topic if it is missing.
 *
 * @throws MissingLogError if it is missing and `create` is false
 * @throws UserError that says why the topic cannot be used, or that the brokers do not answer
 */
export async function openKafkaLog(
  config: KafkaConfig,
  topic: string,
  options: KafkaLogOptions,
): Promise<EventLog> {
  const { logger } = options;
  await installCodecs(logger);
  const client = createKafkaClient(config, logger);
  try {
    return await open(config, topic, { ...options, client });
  } catch (error) {
    client.end();
    throw error;
  }
}

async function open(
  config: KafkaConfig,
  topic: string,
  options: KafkaLogOptions & { readonly client: KafkaClient },
): Promise<EventLog> {
  const { logger, waitMsMax = Number.POSITIVE_INFINITY, signal, client } = options;
  const { kafka } = client;
  const retryOptions = { name: `topic ${topic}`, logger, waitMsMax };
  const { partitions = PARTITIONS_DEFAULT, create = true } = options;
  const topicOptions = { topic, partitions, create };
  await retryUntilAnswered(() => ensureTopic(kafka, topicOptions, logger), retryOptions, signal);
  const connect = () => openCluster(kafka, topic);
  const servers = createServers(connect, retryOptions);
  const count = () => servers.ask(cluster => countPartitions(cluster, topic));
  const appender = createAppender({ kafka, topic, retryOptions, countPartitions: count });
  if (options.writer) await appender.begin();
  const subscribing = {
    newClient: () => createKafkaClient(config, logger),
    topic,
    retryOptions,
    openFetcher: createFetchers(connect, topic),
    endOf: async (partition: number) =>
      (await servers.tryOnce(cluster => readBounds(cluster, topic, partition))).end,
    sessionTimeoutMs: options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS,
    stallMsMax: options.stallMsMax ?? STALL_MS_MAX,
  };
  const askSettings = () =>
    retryUntilAnswered(() => settingsProblem(kafka, topic, logger), retryOptions, signal);
  const settings = cachedFor(SETTINGS_AGE_MS_MAX, askSettings);
  // A person who waits for a command can ask again.
  const behindMsMax = Number.isFinite(waitMsMax) ? 0 : BEHIND_MS_MAX;
  return eventLogOf({ topic, client, servers, behindMsMax, appender, subscribing, settings });
}

/** Returns a function that caches the result of `load` for `ageMsMax`; concurrent calls share one load. */
function cachedFor<T>(ageMsMax: number, load: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null;
  let loadedAtMs = 0;
  return () => {
    if (cached !== null && performance.now() - loadedAtMs < ageMsMax) return cached;
    loadedAtMs = performance.now();
    const loading = load();
    // Failures are not cached.
    loading.catch(() => {
      if (cached === loading) cached = null;
    });
    cached = loading;
    return loading;
  };
}

interface Served {
  readonly topic: string;
  readonly servers: Servers;
  /** How long a broker may end before an offset that the log has reached. */
  readonly behindMsMax: number;
}

interface LogParts extends Served {
  readonly client: KafkaClient;
  readonly appender: Appender;
  readonly subscribing: Omit<TopicSubscriptionOptions, 'group' | 'limits'>;
  readonly settings: () => Promise<string | null>;
}

function eventLogOf(parts: LogParts): EventLog {
  const { topic, client, servers, appender, subscribing, settings } = parts;
  const closing = new AbortController();
  const subscriptions = new Set<Promise<void>>();
  let appends: Promise<unknown> = Promise.resolve();
  return {
    name: `topic ${topic}`,
    partitions: () => servers.ask(cluster => countPartitions(cluster, topic)),
    bounds: (partition, reached) => boundsOf(parts, partition, reached),
    settingsProblem: settings,
    hiddenOffsets: partition =>
      servers.ask(cluster => readHiddenOffsets(cluster, topic, partition)),
    scan: (range, signal) => scan({ ...range, servers, topic }, signal),
    append(records) {
      const appended = appends.then(() => append(parts, records));
      appends = appended.catch(() => {});
      return appended;
    },
    async subscribe(subscriber, { group, limits, signal }) {
      const options = { ...subscribing, group: `${topic}.${group}`, limits };
      const stop = AbortSignal.any([signal, closing.signal]);
      const subscription = followTopic(options, subscriber, stop);
      subscriptions.add(subscription);
      await subscription.finally(() => subscriptions.delete(subscription));
    },
    async close() {
      closing.abort();
      await Promise.allSettled([appends, ...subscriptions]);
      await Promise.all([
        waitAtMost(LEAVE_MS_MAX, appender.close()),
        waitAtMost(LEAVE_MS_MAX, servers.close()),
      ]);
      client.end();
    },
  };
}

/** A broker that is cut off from the others answers as of before: a log that ends before `reached` is asked again. */
function boundsOf(
  { servers, topic, behindMsMax }: Served,
  partition: number,
  reached = 0,
): Promise<LogBounds> {
  const untilMs = performance.now() + behindMsMax;
  return servers.ask(async cluster => {
    const bounds = await readBounds(cluster, topic, partition);
    if (bounds.end >= reached || performance.now() > untilMs) return bounds;
    const got = `got one that ends at offset ${bounds.end}`;
    throw notYet(
      `expected partition ${partition} of topic ${topic} to reach offset ${reached}, ${got}`,
    );
  });
}

async function append(log: LogParts, records: readonly NewRecord[]): Promise<readonly Appended[]> {
  if (records.length === 0) return [];
  const places = await log.appender.append(records);
  // The records are in the log, also when nobody can be asked whether they show yet.
  await untilVisible(log, places).catch(() => {});
  return places;
}

/** Brokers confirm a commit before its markers are written: read-committed consumers see the records a little later. */
async function untilVisible(log: Served, places: readonly Appended[]): Promise<void> {
  const last = new Map(places.map(({ partition, offset }) => [partition, offset]));
  const deadline = performance.now() + VISIBLE_MS_MAX;
  for (const [partition, offset] of last) {
    await reachedBounds(() => boundsOf(log, partition), offset + 1, deadline);
  }
}
