// The projector on Kafka with a real mongod produces the same documents as on the embedded log.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import anyTest, { type ExecutionContext } from 'ava';
import { Partitioners } from 'kafkajs';
import type { EventLog, NewRecord } from '../../src/event-log/event-log.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { createLogger } from '../../src/process/log.ts';
import { runProjector } from '../../src/projector/projector.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { caughtUp } from '../chaos/fresh-projection.ts';
import {
  createTopic,
  deleteRecords,
  kafkaTest,
  plainClient,
  type TestKafka,
  topicName,
  useKafka,
} from '../helpers/kafka.ts';
import { type StartedMongo, startMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import { memoryLog } from '../http/memory-log.ts';
import { dump, storeOpener, testStore } from '../projector/test-store.ts';
import { openForTest } from './kafka-log-under-test.ts';

const PARTITIONS = 3;
const SEED = 77;
const SESSION_MS = 1200;
const WAIT_MS = 400_000;

let kafka: TestKafka;
let mongo: StartedMongo;
let folder: string;
/** The documents of the embedded log. */
let expected: string[];
anyTest.before(async () => {
  [kafka, mongo] = await Promise.all([useKafka(), startMongo()]);
  folder = await mkdtemp(join(tmpdir(), 'budgeting-kafka-projector-'));
  const eventLog = await openFolderLog(folder, { partitions: PARTITIONS });
  await eventLog.append(HISTORY);
  const store = await testStore(mongo.client, mongo.database('embedded').databaseName);
  await project(eventLog, store);
  await eventLog.close();
  expected = await comparable(store);
});
anyTest.after.always(async () => {
  await mongo?.stop();
  await kafka?.stop();
  await rm(folder, { recursive: true, force: true });
});
const test = kafkaTest(anyTest);

const HISTORY: readonly NewRecord[] = eventsOf(
  randomHistory({
    seed: SEED,
    events: 3000,
    budgets: 6,
    spaces: 2,
    users: 3,
    wildNames: true,
    invalidShare: 0.001,
    disorderShare: 0.01,
    duplicateShare: 0.02,
  }),
).map(event => ({ key: event.subject, value: JSON.stringify(event) }));

/** Projects until all events are applied. */
async function project(eventLog: EventLog, store: ProjectorStore, logger = createLogger('silent')) {
  const { collections } = store;
  const stopping = new AbortController();
  const openStore = storeOpener(store);
  const batch = { recordsMax: 200, bytesMax: 1_000_000 };
  const run = runProjector({ openStore, eventLog, group: 'g1', logger, batch }, stopping.signal);
  await Promise.race([run, caughtUp(collections, eventLog, WAIT_MS)]);
  stopping.abort();
  await run;
}

/** A dump without offsets: document sets are named by them, and Kafka counts markers and aborted records too. */
async function comparable(store: ProjectorStore): Promise<string[]> {
  const sets = new Map<string, string>();
  for await (const { _id, set } of store.collections.heads.find()) {
    if (set !== null) sets.set(set, `set of ${_id}`);
  }
  const lines = await dump(store);
  return lines
    .filter(line => !line.startsWith('checkpoint '))
    .map(line =>
      line
        .replaceAll(/(?<=["])\d+-\d+(?=["/])/g, name => sets.get(name) ?? name)
        .replaceAll(/"offset":\d+/g, '"offset":0'),
    )
    .sort();
}

/** Writes the history like other producers: in transactions of many sizes, after some aborted ones. */
async function produce(topic: string): Promise<void> {
  const random = createRandom(SEED);
  const producer = plainClient(kafka.config).producer({
    transactionalId: topicName(),
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const messages = HISTORY.map(({ key, value }) => {
    return { key, value, partition: partitionOf(key, PARTITIONS) };
  });
  for (let at = 0; at < messages.length; ) {
    const some = messages.slice(at, at + random.between(1, 150));
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: some });
    if (random.chance(0.2)) {
      await transaction.abort();
      continue;
    }
    await transaction.commit();
    at += some.length;
  }
  await producer.disconnect();
}

test('a history on Kafka with markers and aborted records gives the same documents', async t => {
  const topic = await createTopic(kafka.config, PARTITIONS);
  await produce(topic);
  const eventLog = await openForTest(t, topic, { config: kafka.config, partitions: PARTITIONS });
  const store = await testStore(mongo.client, mongo.database('kafka').databaseName);
  await project(eventLog, store);
  t.true(expected.length > 500, `only ${expected.length} documents were made`);
  t.deepEqual(await comparable(store), expected);
});

test('two processes, killed and stopped at random, give the same documents', async t => {
  const random = createRandom(SEED);
  const topic = topicName();
  const eventLog = await openForTest(t, topic, {
    config: kafka.config,
    partitions: PARTITIONS,
    writer: true,
  });
  const database = mongo.database('processes').databaseName;
  const store = await testStore(mongo.client, database);
  const children = [forkProjector(t, database, topic), forkProjector(t, database, topic)];
  const step = Math.ceil(HISTORY.length / 5);
  for (const [round, how] of ['SIGKILL', 'SIGSTOP', 'SIGKILL', 'SIGSTOP', 'SIGKILL'].entries()) {
    await eventLog.append(HISTORY.slice(round * step, (round + 1) * step));
    await delay(random.between(0, 700));
    const victim = children[round % 2];
    victim?.kill(how as NodeJS.Signals);
    if (how === 'SIGKILL') children[round % 2] = forkProjector(t, database, topic);
    else {
      await delay(SESSION_MS * 1.5);
      victim?.kill('SIGCONT');
    }
  }
  await caughtUp(store.collections, eventLog, WAIT_MS);
  for (const child of children) child.send('stop');
  const codes = await Promise.all(children.map(child => once(child, 'exit')));
  t.deepEqual(
    codes.map(([code]) => code),
    [0, 0],
  );
  t.deepEqual(await comparable(store), expected);
});

function forkProjector(t: ExecutionContext, database: string, topic: string): ChildProcess {
  const brokers = kafka.config.brokers.join(',');
  const args = [mongo.url, database, brokers, topic, '40', String(SESSION_MS)];
  const child = fork(new URL('./kafka-projector-process.js', import.meta.url), args);
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

test('DATA_LOSS halts a partition of a shortened topic, and of a recreated one', async t => {
  const topic = topicName();
  const options = { partitions: PARTITIONS, writer: true };
  const eventLog = await openForTest(t, topic, { config: kafka.config, ...options });
  const store = await testStore(mongo.client, mongo.database('loss').databaseName);
  const half = HISTORY.slice(0, 600);
  await eventLog.append(half);
  await project(eventLog, store);
  const before = await comparable(store);
  const bounds = await Promise.all([0, 1, 2].map(eventLog.bounds));
  await eventLog.append(HISTORY.slice(600, 1200));
  // Meanwhile more records are deleted than the projector has applied.
  await deleteRecords(kafka.config, { topic, partition: 1, before: (bounds[1]?.end ?? 0) + 5 });
  const { logger, lines } = memoryLog();
  const stopping = new AbortController();
  const openStore = storeOpener(store);
  const run = runProjector({ openStore, eventLog, group: 'g1', logger }, stopping.signal);
  const nextOf = async (partition: number) =>
    (await store.collections.checkpoints.findOne({ _id: partition }))?.next ?? 0;
  const ends = await Promise.all(
    [0, 1, 2].map(async partition => (await eventLog.bounds(partition)).end),
  );
  while ((await nextOf(0)) < (ends[0] ?? 0) || (await nextOf(2)) < (ends[2] ?? 0)) await delay(50);
  const fatal = () => lines.filter(({ level }) => level === 60).map(({ msg }) => msg);
  while (fatal().length === 0) await delay(50);
  stopping.abort();
  await run;
  t.is(await nextOf(1), bounds[1]?.end ?? 0);
  t.is(fatal().length, 1);
  t.regex(
    fatal()[0] ?? '',
    new RegExp(`^DATA_LOSS in topic ${topic}, partition 1: expected offset`),
  );
  t.notDeepEqual(await comparable(store), before);
});
