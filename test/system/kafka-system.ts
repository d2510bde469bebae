// The deployed product: processes of the real command line on a real Kafka and a real mongod.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { ACCESS_DATABASE } from '../../src/access/connect.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { type GenerationCollections, generationCollections } from '../../src/store/collections.ts';
import { budgeting, type Ended, type Started } from '../commands/started.ts';
import { openForTest } from '../event-log/kafka-log-under-test.ts';
import { type TestKafka, topicName } from '../helpers/kafka.ts';
import type { TestMongo } from '../helpers/mongo.ts';

export interface KafkaSystem {
  readonly topic: string;
  /** Independent of the product's processes. */
  readonly eventLog: EventLog;
  readonly collections: GenerationCollections;
  readonly token: string;
  start(command: 'project' | 'serve'): Started;
  /** Starts any command. */
  begin(...args: readonly string[]): Started;
  run(...args: readonly string[]): Promise<Ended>;
  append(events: readonly { subject: string }[]): Promise<void>;
}

const READ_MODEL = 'budgeting';
const MANY = '100000000';
const LIMITS = ['IP_PER_MINUTE', 'TOKEN_READS_PER_MINUTE', 'USER_PER_MINUTE', 'USER_PER_DAY'];

interface KafkaSystemOptions {
  readonly kafka: TestKafka;
  readonly mongo: TestMongo;
  readonly partitions: number;
}

/** Call it once at a time per mongod: the product's databases have fixed names, and are emptied here. */
export async function kafkaSystem(
  t: ExecutionContext,
  { kafka, mongo, partitions }: KafkaSystemOptions,
): Promise<KafkaSystem> {
  for (const name of [READ_MODEL, ACCESS_DATABASE]) await mongo.client.db(name).dropDatabase();
  const topic = topicName();
  const eventLog = await openForTest(t, topic, { config: kafka.config, partitions, writer: true });
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-processes-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const env = {
    MONGODB_URL: mongo.url,
    KAFKA_BROKERS: kafka.config.brokers.join(','),
    EVENTS_TOPIC: topic,
    DATA_DIR: folder,
    PORT: '0',
    ...Object.fromEntries(LIMITS.map(name => [`RATE_LIMIT_${name}`, MANY])),
  };
  const begin = (...args: readonly string[]) => budgeting(args, env);
  const run = (...args: readonly string[]) => begin(...args).ended;
  const issued = await run('token', 'issue', '--user', 'user-1', '--json');
  return {
    topic,
    eventLog,
    collections: generationCollections(mongo.client.db(READ_MODEL), 'g1'),
    token: JSON.parse(issued.out).token,
    begin,
    run,
    start(command) {
      const started = budgeting([command], env);
      t.teardown(async () => {
        started.child.kill('SIGKILL');
        await started.ended;
      });
      return started;
    },
    async append(events) {
      await eventLog.append(
        events.map(event => ({ key: event.subject, value: JSON.stringify(event) })),
      );
    },
  };
}

/** Returns the address that the process prints once it listens. */
export async function addressOf(
  started: Started,
  label: 'Operators' | 'Read API',
): Promise<string> {
  const pattern = new RegExp(`${label} (http://[^/]+)`);
  return pattern.exec(await started.printed(pattern))?.[1] ?? '';
}

/** Resolves once the condition holds; the test's own timeout ends the wait. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}
