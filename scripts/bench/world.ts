// The whole system as real processes: a projector on a topic and a reader, with budgets to read.
import type { Db } from 'mongodb';
import { ACCESS_DATABASE } from '../../src/access/connect.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import type { NewRecord } from '../../src/event-log/event-log.ts';
import { activeGeneration } from '../../src/store/registry.ts';
import { type HistoryOptions, history } from './history.ts';
import type { ReaderRequest } from './load.ts';
import { type Running, runCli } from './processes.ts';
import { appliedRecords, checkNothingHeld, headsOf, until } from './progress.ts';
import type { BenchServers } from './servers.ts';
import { createTopic, environmentOf, recordsIn, type Topic } from './topic.ts';

export interface World {
  readonly mongodbUrl: string;
  readonly database: Db;
  readonly topic: Topic;
  /** The environment variables of this system's processes. */
  readonly env: NodeJS.ProcessEnv;
  /** The token of BENCH_USER, who is a member of every space. */
  readonly token: string;
  /** Appends events and waits until they are applied. */
  apply(records: Iterable<NewRecord>): Promise<void>;
  /** Makes a budget with so many rows, unless it exists. */
  budget(id: string, rows: number, more?: Partial<HistoryOptions>): Promise<void>;
  /** Returns a request to the reader. */
  asked(path: string, headers?: Readonly<Record<string, string>>): ReaderRequest;
  /** Returns a request whose path is another one each time, so that no kept body answers it. */
  newQuestions(path: (count: number) => string, more?: QuestionOptions): ReaderRequest;
  /** Starts another reader. */
  serve(): Promise<{ readonly reader: Running; readonly origin: string }>;
  stop(): Promise<void>;
}

interface QuestionOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The origin of another reader. */
  readonly at?: string;
}

export const BENCH_USER = 'bench';

/** Too large to be reached; requests are counted all the same. */
const LIMIT = '1000000000';
const LIMITS = {
  RATE_LIMIT_IP_PER_MINUTE: LIMIT,
  RATE_LIMIT_TOKEN_READS_PER_MINUTE: LIMIT,
  RATE_LIMIT_USER_PER_MINUTE: LIMIT,
  RATE_LIMIT_USER_PER_DAY: LIMIT,
};

export async function createWorld(servers: BenchServers, partitions = 1): Promise<World> {
  const mongod = await servers.mongod();
  const topic = await createTopic(await servers.kafka(), partitions);
  const env = {
    ...environmentOf(mongod, topic),
    ...LIMITS,
  };
  const database = mongod.client.db('budgeting');
  const projector = runCli(['project'], env);
  const serve = async () => {
    const reader = runCli(['serve'], env);
    const [, origin = ''] = await reader.line(/^Read API (\S+)\/api\/v1/);
    return { reader, origin };
  };
  const { reader, origin } = await serve();
  const tokens = createTokenStore(mongod.client.db(ACCESS_DATABASE));
  const { token } = await tokens.issue({ owner: BENCH_USER }, new Date());
  await until(async () => (await activeGeneration(database)) !== null);
  const asked: World['asked'] = (path, headers) => ({
    url: `${origin}/api/v1${path}`,
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });
  const made = new Set<string>();
  const apply = async (records: Iterable<NewRecord>) => {
    await topic.append(records);
    await until(async () => (await appliedRecords(database)) >= recordsIn(topic));
    await checkNothingHeld(database);
  };
  return {
    mongodbUrl: mongod.url,
    database,
    topic,
    env,
    token,
    apply,
    async budget(id, rows, more) {
      if (made.has(id)) return;
      made.add(id);
      servers.report(`Making a budget of ${rows} rows`);
      const plain = { budgetId: id, spaceId: `space-of-${id}`, user: BENCH_USER, events: rows };
      await apply(history({ ...plain, ...more }));
    },
    asked,
    newQuestions(path, { headers, at = origin } = {}) {
      let count = 0;
      const url = () => {
        count += 1;
        return `${at}/api/v1${path(count)}`;
      };
      return { ...asked('', headers), url };
    },
    serve,
    async stop() {
      await reader.stop();
      await projector.stop();
      await topic.close();
      await mongod.stop();
    },
  };
}

/** Returns a parameter that leaves a list of transactions as it is, another one for each count. */
export function untilDay(count: number): string {
  return `&end_date=${dayOf(2100, count)}`;
}

/** The same, for a list that has an end. */
export function fromDay(count: number): string {
  return `&start_date=${dayOf(1990, count)}`;
}

function dayOf(year: number, day: number): string {
  return new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10);
}

/** Returns the last applied sequence of a stream. */
export async function positionOf({ database }: World, subject: string): Promise<number> {
  const head = await (await headsOf(database)).findOne({ _id: subject });
  if (head === null) throw new Error(`Expected a stream ${subject}`);
  return head.sequence;
}
