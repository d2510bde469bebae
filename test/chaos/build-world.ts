// Starts the servers, proxies and processes of a chaos run.
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startKafka } from '../../scripts/kafka/start-kafka.ts';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { openKafkaLog } from '../../src/event-log/kafka/kafka-log.ts';
import { createLogger } from '../../src/process/log.ts';
import { configOf } from '../helpers/kafka.ts';
import { createRandom } from '../histories/random.ts';
import { createBudgeting, createBudgetingKilled, issueToken } from './budgeting.ts';
import { mountDisk } from './disk.ts';
import { createFleet } from './fleet.ts';
import { type Exits, type Supervised, supervise } from './product.ts';
import { startProxy } from './proxy.ts';
import { startReplicaSet } from './replica-set.ts';
import { longHistory, startTraffic } from './traffic.ts';
import type { VisitorOptions } from './visitors.ts';
import { createWeather } from './weather.ts';
import type { World } from './world.ts';

export interface BuildOptions {
  readonly seed: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly report: (line: string) => void;
  readonly blame: (what: string) => void;
}

export interface Built {
  readonly world: World;
  readonly eventLog: EventLog;
  readonly visitors: Omit<VisitorOptions, 'random' | 'blame'>;
  readonly exits: Exits;
  /** The path of the binary. */
  readonly mongod: string;
  /** The starts of all processes of the product. */
  starts(): number;
  stop(): Promise<void>;
}

/** Retention and compaction take effect at once where a topic has any. */
const RETENTION = {
  'log.initial.task.delay.ms': 1000,
  'log.retention.check.interval.ms': 1000,
  'log.segment.delete.delay.ms': 1000,
  'log.cleaner.backoff.ms': 1000,
};
const TOPIC = 'budgeting.events';
const PARTITIONS = 6;
const MANY = '100000000';
const LIMITS = ['IP_PER_MINUTE', 'TOKEN_READS_PER_MINUTE', 'USER_PER_MINUTE', 'USER_PER_DAY'];

export async function buildWorld(options: BuildOptions): Promise<Built> {
  const { seed, env, folder, report, blame } = options;
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const one of stops.reverse()) await one();
  };
  try {
    report('Starting Kafka and three members of MongoDB');
    const mongod = await findMongod({ env, report });
    const set = await startReplicaSet(mongod.path, folder);
    stops.push(set.stop);
    const brokerProxy = await startProxy();
    stops.push(brokerProxy.stop);
    const brokerDisk = await mountDisk(join(folder, 'kafka'));
    if (brokerDisk) stops.push(brokerDisk.stop);
    const broker = await startKafka({
      env,
      report,
      proxyPort: brokerProxy.port,
      ...(brokerDisk ? { disk: brokerDisk } : {}),
      settings: RETENTION,
    });
    stops.push(broker.stop);
    brokerProxy.setTarget(broker.behindProxy);
    const kafka = configOf(broker.brokers);
    const eventLog = await openKafkaLog(kafka, TOPIC, {
      logger: createLogger('silent'),
      partitions: PARTITIONS,
    });
    stops.push(eventLog.close);
    const client = await new MongoClient(set.url).connect();
    stops.push(() => client.close());
    const productEnv = {
      ...env,
      MONGODB_URL: set.url,
      KAFKA_BROKERS: `127.0.0.1:${brokerProxy.port}`,
      EVENTS_TOPIC: TOPIC,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'info',
      // A rollback at the window's end must not take an hour.
      ROLLBACK_MINUTES: '1',
      ...Object.fromEntries(LIMITS.map(name => [`RATE_LIMIT_${name}`, MANY])),
    };
    const exits: Exits = new Map();
    const weather = createWeather();
    stops.push(weather.stop);
    const started: Supervised[] = [];
    const start = (name: string, command: 'project' | 'serve') => {
      const process = supervise(name, command, { env: productEnv, folder, blame, weather, exits });
      started.push(process);
      return process;
    };
    stops.push(() => {
      for (const process of started) process.abandon();
    });
    const cliOutput = join(folder, 'cli.log');
    const budgeting = createBudgeting(productEnv, cliOutput);
    const token = await issueToken(budgeting);
    const fleet = createFleet(name => start(name, 'project'));
    const readers = ['reader-1', 'reader-2'].map(name => start(name, 'serve'));
    const history = longHistory(seed, options.events);
    const traffic = startTraffic({
      kafka,
      topic: TOPIC,
      partitions: PARTITIONS,
      history,
      eventsPerSecond: options.eventsPerSecond,
      random: createRandom(seed + 2),
    });
    stops.push(traffic.stop);
    const deletions = history.filter(({ event }) => event.type === 'budget.deleted');
    return {
      world: {
        set,
        broker,
        brokerProxy,
        brokerDisk,
        client,
        kafka,
        topic: TOPIC,
        partitions: PARTITIONS,
        fleet,
        readers,
        traffic,
        weather,
        budgeting,
        budgetingKilled: createBudgetingKilled(productEnv, cliOutput),
        blame,
      },
      eventLog,
      visitors: {
        readers,
        token,
        budgets: [...traffic.subjects].filter(subject => subject.startsWith('budget-')),
        mortal: new Set(deletions.map(({ event }) => event.subject)),
        weather,
      },
      exits,
      mongod: mongod.path,
      starts: () => started.reduce((sum, process) => sum + process.starts(), 0),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
