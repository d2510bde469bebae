// A log that loses records while it is projected (rules/projecting.md#check-of-the-log), on a real broker and in a folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import anyTest, { type ExecutionContext } from 'ava';
import kafkajs, { type Message, Partitioners } from 'kafkajs';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { misplacedReason } from '../../src/projector/fold/home.ts';
import { runProjector } from '../../src/projector/projector.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import type { StoredQuarantined } from '../../src/store/collections.ts';
import { claimPartition, haltPartition } from '../../src/store/writing/checkpoints.ts';
import {
  administer,
  deleteRecords,
  deleteTopic,
  kafkaTest,
  plainClient,
  topicName,
} from '../helpers/kafka.ts';
import { useKafkaAndMongo } from '../helpers/kafka-and-mongo.ts';
import { startMongo } from '../helpers/mongo.ts';
import { memoryLog } from '../http/memory-log.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { dump, storeOpener, testStore } from '../projector/test-store.ts';
import { openForTest } from './kafka-log-under-test.ts';

const PARTITIONS = 2;
const CHECK_MS = 300;

const servers = useKafkaAndMongo(anyTest, startMongo);
const test = kafkaTest(anyTest);

/** Returns a budget whose events lie in the partition. */
function budgetIn(partition: number): string {
  for (let number = 1; ; number += 1) {
    if (partitionOf(`budget-${number}`, PARTITIONS) === partition) return `budget-${number}`;
  }
}

function recordsOf(subject: string, count: number) {
  const eventOf = eventMaker(subject);
  const payees = Array.from({ length: count - 1 }, (_, number) => payee(`payee-${number}`));
  return [CREATED, ...payees].map(draft => ({
    key: subject,
    value: JSON.stringify(eventOf(draft)),
  }));
}

interface Projecting {
  readonly store: ProjectorStore;
  readonly lines: ReturnType<typeof memoryLog>['lines'];
  /** Resolves once both partitions are applied up to their ends. */
  caughtUp(): Promise<void>;
  haltedReason(partition: number): Promise<string | null>;
  stop(): Promise<void>;
}

async function projecting(t: ExecutionContext, eventLog: EventLog): Promise<Projecting> {
  const store = await testStore(
    servers().mongo.client,
    servers().mongo.database('damage').databaseName,
  );
  const { checkpoints } = store.collections;
  const { logger, lines } = memoryLog();
  const stopping = new AbortController();
  const openStore = storeOpener(store);
  const options = { openStore, eventLog, group: 'g1', logger, logCheckMs: CHECK_MS };
  const run = runProjector(options, stopping.signal);
  const stop = async () => {
    stopping.abort();
    await run;
  };
  t.teardown(() => stop().catch(() => {}));
  return {
    store,
    lines,
    stop,
    async caughtUp() {
      for (let partition = 0; partition < PARTITIONS; partition += 1) {
        const { end } = await eventLog.bounds(partition);
        while (((await checkpoints.findOne({ _id: partition }))?.next ?? 0) < end) await sleep(20);
      }
    },
    haltedReason: async partition =>
      (await checkpoints.findOne({ _id: partition }))?.halted?.reason ?? null,
  };
}

const opened = (t: ExecutionContext, topic: string): Promise<EventLog> =>
  openForTest(t, topic, { config: servers().kafka.config, partitions: PARTITIONS, writer: true });

async function appendOneMore(eventLog: EventLog): Promise<void> {
  const event = eventMaker(budgetIn(0))(payee('more'), { sequence: 21 });
  await eventLog.append([{ key: budgetIn(0), value: JSON.stringify(event) }]);
}

/** Writes like another producer, to the partition that each message names. */
async function produce(messages: Message[], topic: string): Promise<void> {
  const createPartitioner = Partitioners.DefaultPartitioner;
  const producer = plainClient(servers().kafka.config).producer({ createPartitioner });
  await producer.connect();
  await producer.send({ topic, messages });
  await producer.disconnect();
}

async function eventually<T>(read: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== null) return found;
    await sleep(20);
  }
}

test('a partition without traffic halts when its start moves beyond the checkpoint, and others continue', async t => {
  const topic = topicName();
  const eventLog = await opened(t, topic);
  await eventLog.append([...recordsOf(budgetIn(0), 20), ...recordsOf(budgetIn(1), 20)]);
  const { caughtUp, haltedReason, lines, store } = await projecting(t, eventLog);
  await caughtUp();
  await deleteRecords(servers().kafka.config, { topic, partition: 1, before: 5 });
  const reason = await eventually(() => haltedReason(1));
  const damage = 'expected the log to begin at offset 0, got offset 5';
  t.is(reason, `DATA_LOSS in topic ${topic}, partition 1: ${damage}`);
  await eventually(
    async () => lines.find(({ level, msg }) => level === 60 && msg === reason) ?? null,
  );
  await appendOneMore(eventLog);
  await caughtUp();
  t.like(await store.collections.heads.findOne({ _id: budgetIn(0) }), { sequence: 21 });
  t.is(await haltedReason(0), null);
});

test('a topic that is recreated during projection with as many records is not the same topic', async t => {
  const topic = topicName();
  const eventLog = await opened(t, topic);
  await eventLog.append(recordsOf(budgetIn(1), 20));
  const { caughtUp, haltedReason, store } = await projecting(t, eventLog);
  await caughtUp();
  await deleteTopic(servers().kafka.config, topic);
  await administer(servers().kafka.config, async admin => {
    const configEntries = [{ name: 'retention.ms', value: '-1' }];
    const topics = [{ topic, numPartitions: PARTITIONS, configEntries }];
    if (!(await admin.createTopics({ topics }))) throw new Error('Not yet');
  });
  await produce(
    recordsOf('budget-other', 60).map(record => ({ ...record, partition: 1 })),
    topic,
  );
  const reason = await eventually(() => haltedReason(1));
  t.regex(reason, /^DATA_LOSS in topic .*, partition 1: (the record at offset|expected offset)/);
  t.is(await store.collections.heads.countDocuments({ _id: 'budget-other' }), 0);
});

test('more partitions than before halt all of them, and nothing of the new ones is applied', async t => {
  const topic = topicName();
  const eventLog = await opened(t, topic);
  await eventLog.append([...recordsOf(budgetIn(0), 20), ...recordsOf(budgetIn(1), 20)]);
  const { caughtUp, haltedReason, lines, store } = await projecting(t, eventLog);
  await caughtUp();
  await administer(servers().kafka.config, admin =>
    admin.createPartitions({ topicPartitions: [{ topic, count: 4 }] }),
  );
  const expected = (partition: number) =>
    `DATA_LOSS in topic ${topic}, partition ${partition}: expected 2 partitions, got 4`;
  for (const partition of [0, 1]) {
    t.is(await eventually(() => haltedReason(partition)), expected(partition));
  }
  // The group distributes the new partitions in its own time; the next owner of one notices them.
  await produce(
    recordsOf('budget-new', 30).map(record => ({ ...record, partition: 3 })),
    topic,
  );
  await eventually(async () => lines.find(({ msg }) => msg === expected(3)) ?? null);
  t.is(await store.collections.checkpoints.countDocuments(), PARTITIONS);
  t.is(await store.collections.heads.countDocuments({ _id: 'budget-new' }), 0);
});

test('a partition that a process of another topic claimed and halted is claimed again, though nothing comes', async t => {
  const eventLog = await opened(t, topicName());
  await eventLog.append([...recordsOf(budgetIn(0), 20), ...recordsOf(budgetIn(1), 20)]);
  const { caughtUp, store } = await projecting(t, eventLog);
  await caughtUp();
  const { checkpoints } = store.collections;
  const claimant = { owner: 'mistaken', sessions: [], partitions: PARTITIONS };
  for (const partition of [0, 1]) {
    const claimed = await claimPartition(checkpoints, { ...claimant, partition });
    await haltPartition(checkpoints, claimed, 'DATA_LOSS in topic other');
  }
  const others = { $or: [{ owner: 'mistaken' }, { halted: { $exists: true } }] };
  await eventually(async () => (await checkpoints.countDocuments(others)) === 0 || null);
  await appendOneMore(eventLog);
  await caughtUp();
  t.like(await store.collections.heads.findOne({ _id: budgetIn(0) }), { sequence: 21 });
});

test('retention that is switched on during projection is reported until it is switched off', async t => {
  const topic = topicName();
  const set = (value: string) =>
    administer(servers().kafka.config, admin =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: kafkajs.ConfigResourceTypes.TOPIC,
            name: topic,
            configEntries: [{ name: 'retention.ms', value }],
          },
        ],
      }),
    );
  const eventLog = await openForTest(t, topic, {
    config: servers().kafka.config,
    partitions: PARTITIONS,
  });
  t.is(await eventLog.settingsProblem(), null);
  await set('60000');
  const other = await openForTest(t, topic, {
    config: servers().kafka.config,
    partitions: PARTITIONS,
  }).catch((error: Error) => error.message);
  const problem = `Topic ${topic} would lose events: expected retention.ms=-1, got 60000; change that setting of the topic`;
  t.is(other as unknown, problem);
  // The log caches a recent result.
  t.is(await eventually(() => eventLog.settingsProblem()), problem);
});

function strays(): Message[] {
  const [home, other] = [budgetIn(0), budgetIn(1)];
  const eventOf = eventMaker(other);
  const stray = (key: string | null, partition: number, subject = other) => ({
    key,
    partition,
    value: JSON.stringify(eventOf(payee('stray'), { subject, sequence: 21, id: 'stray' })),
  });
  const [first = { key: other, value: '' }] = recordsOf(other, 1);
  // Without a key, under another stream's key, in another partition than its own, each copy, and its first event.
  const misplaced = [stray(other, 0), stray(other, 0), { ...first, partition: 0 }];
  return [stray(null, 1), stray(home, 0), ...misplaced];
}

test('records without a key, under a wrong one or in a wrong partition change nothing, live and in a rebuild', async t => {
  const topic = topicName();
  const eventLog = await opened(t, topic);
  await eventLog.append([...recordsOf(budgetIn(0), 20), ...recordsOf(budgetIn(1), 20)]);
  const live = await projecting(t, eventLog);
  await live.caughtUp();
  await produce(strays(), topic);
  const own = eventMaker(budgetIn(1))(payee('own'), { sequence: 21 });
  await eventLog.append([{ key: budgetIn(1), value: JSON.stringify(own) }]);
  await live.caughtUp();
  t.like(await live.store.collections.heads.findOne({ _id: budgetIn(1) }), {
    sequence: 21,
    held: null,
  });
  t.like(await live.store.collections.heads.findOne({ _id: budgetIn(0) }), { sequence: 20 });
  const quarantined = await live.store.collections.quarantine.find().toArray();
  const isMisplaced = (one: StoredQuarantined) =>
    one.reason === misplacedReason(budgetIn(1), one, PARTITIONS);
  t.is(quarantined.filter(isMisplaced).length, 3);
  const keyed = quarantined.filter(one => !isMisplaced(one)).map(({ reason }) => reason);
  t.deepEqual(keyed.sort(), [
    `Expected the subject ${budgetIn(1)} to be the record's key, got another`,
    `Expected the subject ${budgetIn(1)} to be the record's key, got no key`,
  ]);
  const before = (await dump(live.store)).filter(line => !line.startsWith('checkpoint'));
  await live.stop();
  // A rebuild may read the strays first.
  const rebuilt = await projecting(t, eventLog);
  await rebuilt.caughtUp();
  const after = (await dump(rebuilt.store)).filter(line => !line.startsWith('checkpoint'));
  t.deepEqual(after, before);
});

anyTest(
  'a folder whose first segment is removed during projection halts the partition',
  async t => {
    const folder = await mkdtemp(join(tmpdir(), 'budgeting-damage-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const eventLog = await openFolderLog(folder, { partitions: PARTITIONS, segmentBytesMax: 1000 });
    t.teardown(() => eventLog.close());
    await eventLog.append(recordsOf(budgetIn(1), 20));
    const { caughtUp, haltedReason } = await projecting(t, eventLog);
    await caughtUp();
    await rm(join(folder, '1', `${'0'.repeat(16)}.ndjson`));
    const reason = await eventually(() => haltedReason(1));
    t.regex(
      reason,
      /^DATA_LOSS in folder .*, partition 1: expected (the log to begin at )?offset 0/,
    );
  },
);
