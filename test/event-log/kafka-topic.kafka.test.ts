// The topic: how it is created, which topics are refused, how changes are reported, and who may append.
import anyTest from 'ava';
import kafkajs from 'kafkajs';
import { openKafkaLog } from '../../src/event-log/kafka/kafka-log.ts';
import { UserError } from '../../src/process/errors.ts';
import { createLogger } from '../../src/process/log.ts';
import {
  administer,
  createTopic,
  deleteRecords,
  deleteTopic,
  kafkaTest,
  type TestKafka,
  topicName,
  useKafka,
} from '../helpers/kafka.ts';
import { memoryLog } from '../http/memory-log.ts';
import { openForTest } from './kafka-log-under-test.ts';
import { following, readAll, record, records, sorted, until, valuesOf } from './log-under-test.ts';

let kafka: TestKafka;
anyTest.before(async () => {
  kafka = await useKafka();
});
anyTest.after.always(() => kafka?.stop());
const test = kafkaTest(anyTest);
const logger = createLogger('silent');

async function settingsOf(topic: string): Promise<Record<string, string>> {
  const { resources } = await administer(kafka.config, admin =>
    admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }],
    }),
  );
  const entries = resources[0]?.configEntries ?? [];
  return Object.fromEntries(
    entries.map(({ configName, configValue }) => [configName, configValue]),
  );
}

test('a missing topic is created with infinite retention and without compaction', async t => {
  const topic = topicName();
  const opened = await openKafkaLog(kafka.config, topic, { logger });
  t.is(await opened.partitions(), 12);
  t.is(opened.name, `topic ${topic}`);
  t.like(await settingsOf(topic), {
    'cleanup.policy': 'delete',
    'retention.ms': '-1',
    'retention.bytes': '-1',
  });
  await opened.close();
});

test('simultaneous opens of a new topic create one topic', async t => {
  const topic = topicName();
  const logs = await Promise.all(
    Array.from({ length: 4 }, () => openForTest(t, topic, { config: kafka.config, partitions: 3 })),
  );
  for (const opened of logs) t.is(await opened.partitions(), 3);
});

const REFUSED = [
  { 'retention.ms': '604800000' },
  { 'retention.ms': '-1', 'retention.bytes': '1000000' },
  { 'retention.ms': '-1', 'cleanup.policy': 'compact' },
  { 'retention.ms': '-1', 'cleanup.policy': 'compact,delete' },
];
for (const settings of REFUSED) {
  const [name, value] = Object.entries(settings).at(-1) ?? [];
  test(`a topic that would lose events is refused: ${name}=${value}`, async t => {
    const topic = await createTopic(kafka.config, 1, settings);
    const error = await t.throwsAsync(openKafkaLog(kafka.config, topic, { logger }), {
      instanceOf: UserError,
    });
    t.regex(error.message, new RegExp(`expected ${name}=(-1|delete), got ${value}`));
  });
}

test('a topic that takes larger records than are read is opened with a warning', async t => {
  const settings = { 'retention.ms': '-1', 'max.message.bytes': '20000000' };
  const topic = await createTopic(kafka.config, 1, settings);
  const { logger: told, lines } = memoryLog();
  const eventLog = await openKafkaLog(kafka.config, topic, { logger: told });
  t.is(await eventLog.settingsProblem(), null);
  await eventLog.close();
  const msg = `Topic ${topic} takes larger records than are read: expected max.message.bytes of at most 12000000, got 20000000`;
  t.deepEqual(
    lines.filter(({ level }) => level === 40).map(line => line.msg),
    [msg],
  );
});

test('rules/projecting.md#check-of-the-log: an end before an offset that was reached is asked for again, for a while', async t => {
  const topic = topicName();
  const eventLog = await openForTest(t, topic, { config: kafka.config, partitions: 1 });
  await eventLog.append(records(1));
  const { end } = await eventLog.bounds(0);
  const answers: number[] = [];
  const asked = [end + 1, 1000].map(async reached => {
    answers.push((await eventLog.bounds(0, reached)).end);
  });
  t.deepEqual(answers, []);
  await eventLog.append(records(1));
  const { end: later } = await eventLog.bounds(0);
  await asked[0];
  t.deepEqual(answers, [later]);
  await asked[1];
  t.deepEqual(answers, [later, later]);
});

test('an invalid name of a topic is reported', async t => {
  await t.throwsAsync(openKafkaLog(kafka.config, '..', { logger }), {
    instanceOf: UserError,
    message: /check EVENTS_TOPIC$/,
  });
});

test('subscriptions include partitions that are added later', async t => {
  const topic = topicName();
  const opened = await openForTest(t, topic, { config: kafka.config, partitions: 1 });
  const later = await administer(kafka.config, async admin => {
    await admin.createPartitions({ topicPartitions: [{ topic, count: 2 }] }).catch(() => false);
    return openForTest(t, topic, { config: kafka.config, partitions: 2, writer: true });
  });
  await later.append(records(20));
  const follower = following(opened, 'added');
  await until(() => follower.values().length >= 20, 'all have arrived');
  await follower.stop();
  t.deepEqual(sorted(follower.values()), sorted(valuesOf(records(20))));
  t.is(new Set(follower.batches.map(({ partition }) => partition)).size, 2);
});

test('bounds reflect deleted records, and a scan of deleted records fails', async t => {
  const topic = topicName();
  const opened = await openForTest(t, topic, { config: kafka.config, partitions: 1, writer: true });
  await opened.append(records(20));
  const before = await opened.bounds(0);
  await deleteRecords(kafka.config, { topic, partition: 0, before: 8 });
  t.deepEqual(await opened.bounds(0), { start: 8, end: before.end });
  t.is((await readAll(opened)).length, 12);
  const scan = async () => {
    for await (const batch of opened.scan({ partition: 0, from: 3, to: 10 })) t.log(batch.length);
  };
  await t.throwsAsync(scan, {
    instanceOf: UserError,
    message: `Partition 0 of topic ${topic} does not hold offset 3`,
  });
});

test('a recreated topic begins again at its start, and a deleted one is reported', async t => {
  const topic = topicName();
  const opened = await openForTest(t, topic, {
    config: kafka.config,
    partitions: 1,
    writer: true,
    waitMsMax: 5000,
  });
  await opened.append(records(20));
  await deleteTopic(kafka.config, topic);
  // A broker confirms a deletion before it takes place.
  const whileExisting = async () => {
    for (;;) await opened.bounds(0);
  };
  await t.throwsAsync(whileExisting, {
    instanceOf: UserError,
    message: `There is no topic ${topic}`,
  });
  const again = await openForTest(t, topic, { config: kafka.config, partitions: 1, writer: true });
  t.deepEqual(await again.bounds(0), { start: 0, end: 0 });
  await again.append(records(2));
  t.is((await readAll(opened)).length, 2);
});

test('a later writer fences an earlier one, even between its check and its append', async t => {
  const topic = topicName();
  const options = { partitions: 1, writer: true };
  const first = await openForTest(t, topic, { config: kafka.config, ...options });
  await first.append([record('a', 1)]);
  const second = await openForTest(t, topic, { config: kafka.config, ...options });
  await t.throwsAsync(first.append([record('a', 2)]), {
    instanceOf: UserError,
    message: 'Another writer has taken the log over: nothing was appended',
  });
  await second.append([record('a', 3)]);
  t.deepEqual(
    (await readAll(second)).map(({ value }) => value),
    valuesOf([record('a', 1), record('a', 3)]),
  );
});

test('a large append is one transaction: its records become visible together', async t => {
  const topic = topicName();
  const opened = await openForTest(t, topic, { config: kafka.config, partitions: 3, writer: true });
  const given = Array.from({ length: 3000 }, (_, n) =>
    record(`budget-${n % 7}`, n, { memo: 'x'.repeat(1000) }),
  );
  const follower = following(opened, 'large', {
    limits: { recordsMax: 5000, bytesMax: 8_000_000 },
  });
  const places = await opened.append(given);
  t.is(new Set(places.map(({ partition, offset }) => `${partition}/${offset}`)).size, 3000);
  const read = await readAll(opened);
  for (const [index, { partition, offset }] of places.entries()) {
    const found = read.find(one => one.partition === partition && one.offset === offset);
    if (found?.value !== given[index]?.value) t.fail(`record ${index} is elsewhere`);
  }
  await until(() => follower.values().length >= 3000, 'all have arrived');
  await follower.stop();
  t.is(follower.values().length, 3000);
});
