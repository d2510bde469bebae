// The records that a reader receives from a topic with other producers.
import { setTimeout as delay } from 'node:timers/promises';
import anyTest, { type ExecutionContext } from 'ava';
import kafkajs, { CompressionTypes, type Kafka, type Message } from 'kafkajs';
import { RECORD_BYTES_MAX, type Subscriber } from '../../src/event-log/event-log.ts';
import { visibleBounds } from '../../src/event-log/visible-bounds.ts';
import {
  createTopic,
  kafkaTest,
  plainClient,
  type TestKafka,
  topicName,
  useKafka,
} from '../helpers/kafka.ts';
import { openForTest } from './kafka-log-under-test.ts';
import { following, readAll, readOf, record, records, until, valuesOf } from './log-under-test.ts';

let kafka: TestKafka;
let client: Kafka;
anyTest.before(async () => {
  kafka = await useKafka();
  client = plainClient(kafka.config);
});
anyTest.after.always(() => kafka?.stop());
const test = kafkaTest(anyTest);

function topicWith(settings: Record<string, string> = {}): Promise<string> {
  return createTopic(kafka.config, 1, { 'retention.ms': '-1', ...settings });
}

function open(t: ExecutionContext, topic: string) {
  return openForTest(t, topic, { config: kafka.config, partitions: 1 });
}

async function produce(topic: string, messages: Message[]): Promise<void> {
  const producer = client.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  await producer.send({ topic, messages });
  await producer.disconnect();
}

/** Begins a transaction of a new producer and writes the messages into it. */
async function openTransaction(topic: string, messages: Message[]) {
  const producer = client.producer({
    transactionalId: topicName(),
    maxInFlightRequests: 1,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages });
  return {
    send: (more: Message[]) => transaction.send({ topic, messages: more }),
    async end(how: 'commit' | 'abort') {
      await transaction[how]();
      await producer.disconnect();
    },
  };
}

const CODECS = ['GZIP', 'Snappy', 'LZ4', 'ZSTD'] as const;
for (const name of CODECS) {
  test(`batches that the broker compressed with ${name} are readable`, async t => {
    const topic = await topicWith({ 'compression.type': name.toLowerCase() });
    const eventLog = await open(t, topic);
    const type = CompressionTypes[name];
    const codec = kafkajs.CompressionCodecs[type]();
    let used = 0;
    const counted = { decompress: (bytes: Buffer) => codec.decompress(bytes, ++used) };
    kafkajs.CompressionCodecs[type] = () => counted;
    t.teardown(() => {
      kafkajs.CompressionCodecs[type] = () => codec;
    });
    const given = [
      ...records(500),
      record('budget-1', 500, { memo: 'é 😀 '.repeat(20_000) }),
      ...records(500, 501),
    ];
    await produce(topic, given);
    const read = (await readAll(eventLog)).map(({ value }) => value);
    t.deepEqual(read, valuesOf(given));
    t.true(used > 0, 'the batches are compressed');
    // From the middle of a compressed batch.
    const values: string[] = [];
    for await (const batch of eventLog.scan({ partition: 0, from: 700, to: 702 })) {
      values.push(...batch.map(({ value }) => Buffer.from(value ?? []).toString()));
    }
    t.deepEqual(values, valuesOf(given.slice(700, 702)));
  });
}

test('records that take several fetches are applied once, also where the subscriber goes back or waits', async t => {
  const topic = await topicWith();
  const eventLog = await open(t, topic);
  const memo = 'x'.repeat(900_000);
  const given = Array.from({ length: 25 }, (_, n) => record('a', n, { memo }));
  for (const one of given) await eventLog.append([one]);
  const applied: string[] = [];
  const stopping = new AbortController();
  let calls = 0;
  const subscriber: Subscriber = {
    assigned: async () => 0,
    ready: () => (calls % 4 === 3 ? delay(50) : null),
    async batch({ to, records: batch }) {
      calls += 1;
      // Takes all, nothing, or the first record.
      const taken = batch.slice(0, calls % 3 === 0 ? 0 : calls % 5 === 0 ? 1 : batch.length);
      applied.push(...readOf(taken).map(({ value }) => value));
      if (applied.length === given.length) stopping.abort();
      return batch[taken.length]?.offset ?? to;
    },
    revoked: async () => {},
  };
  const limits = { recordsMax: 4, bytesMax: 4_000_000 };
  await eventLog.subscribe(subscriber, { group: topic, limits, signal: stopping.signal });
  t.deepEqual(applied, valuesOf(given));
});

test.serial('an error names the codec that this machine lacks', async t => {
  const topic = await topicWith({ 'compression.type': 'lz4' });
  const eventLog = await open(t, topic);
  const codec = kafkajs.CompressionCodecs[CompressionTypes.LZ4];
  t.teardown(() => {
    kafkajs.CompressionCodecs[CompressionTypes.LZ4] = codec;
  });
  await produce(topic, records(5));
  const { missing } = await import('../../src/event-log/kafka/record-batches.ts');
  kafkajs.CompressionCodecs[CompressionTypes.LZ4] = () => ({
    decompress: missing('lz4', 'not built for it'),
  });
  const expected = { message: /compressed with lz4.*cannot be read.*not built for it/ };
  await t.throwsAsync(readAll(eventLog), expected);
  await t.throwsAsync(following(eventLog, 'codec').ended, expected);
});

test('records of aborted transactions stay invisible, whatever else is written meanwhile', async t => {
  const topic = await topicWith();
  const eventLog = await open(t, topic);
  await produce(topic, [record('a', 0)]);
  // Both transactions begin before the first record that a scan from offset 3 fetches.
  const first = await openTransaction(topic, [record('a', 901)]);
  const second = await openTransaction(topic, [record('a', 902)]);
  await second.send([record('a', 903)]);
  await first.send([record('a', 904)]);
  await produce(topic, [record('a', 1)]);
  await first.end('abort');
  await second.send([record('a', 905)]);
  await second.end('abort');
  const third = await openTransaction(topic, [record('a', 2)]);
  await third.end('commit');
  await produce(topic, [record('a', 3)]);
  const visible = valuesOf([0, 1, 2, 3].map(n => record('a', n)));
  const follower = following(eventLog, 'aborted');
  await until(() => follower.values().length >= 4, 'all have arrived');
  await follower.stop();
  t.deepEqual(follower.values(), visible);
  t.deepEqual(
    (await readAll(eventLog)).map(({ value }) => value),
    visible,
  );
  for (let from = 1; from <= 5; from += 1) {
    const values: string[] = [];
    for await (const batch of eventLog.scan({ partition: 0, from, to: 100 })) {
      values.push(...batch.map(({ value }) => Buffer.from(value ?? []).toString()));
    }
    t.deepEqual(values, visible.slice(1), `from offset ${from}`);
  }
});

test('an open transaction hides the records after it, and the end of the log is before it', async t => {
  const topic = await topicWith();
  const eventLog = await open(t, topic);
  await produce(topic, [record('a', 0)]);
  const transaction = await openTransaction(topic, [record('a', 1)]);
  await produce(topic, [record('a', 2)]);
  const follower = following(eventLog, 'open');
  await until(() => follower.values().length === 1, 'the first has arrived');
  t.deepEqual(await eventLog.bounds(0), { start: 0, end: 1 });
  t.deepEqual(
    await eventLog.hiddenOffsets?.(0),
    { from: 1, to: 3 },
    'the committed record is hidden too',
  );
  await t.throwsAsync(visibleBounds(eventLog, 0, 300), { message: /hides those from offset 1 on/ });
  const bounds = visibleBounds(eventLog, 0);
  await transaction.end('commit');
  t.true((await bounds).end >= 3);
  await until(() => follower.values().length === 3, 'all have arrived');
  t.deepEqual(await eventLog.hiddenOffsets?.(0), { from: 4, to: 4 });
  await follower.stop();
  t.deepEqual(follower.values(), valuesOf([0, 1, 2].map(n => record('a', n))));
});

test('batches account for every offset, including markers and aborted records', async t => {
  const topic = await topicWith();
  const eventLog = await open(t, topic);
  // Offsets: 0 aborted, 1 marker, 2 record, 3 marker, 4 record, 5 aborted, 6 marker.
  // Brokers write a marker some time after they confirm the transaction.
  const endsAt = async (offset: number) => {
    while ((await eventLog.bounds(0)).end < offset) await delay(20);
  };
  await (await openTransaction(topic, [record('a', 900)])).end('abort');
  await endsAt(2);
  await (await openTransaction(topic, [record('a', 2)])).end('commit');
  await endsAt(4);
  await produce(topic, [record('a', 4)]);
  await (await openTransaction(topic, [record('a', 901)])).end('abort');
  const follower = following(eventLog, 'marks', { limits: { recordsMax: 1, bytesMax: 1_000_000 } });
  await until(() => follower.batches.at(-1)?.to === 7, 'all offsets are accounted for');
  await follower.stop();
  let next = 0;
  for (const { from, to, records: batch } of follower.batches) {
    t.is(from, next);
    for (const { offset } of batch) t.true(offset >= from && offset < to);
    next = to;
  }
  t.is(next, (await eventLog.bounds(0)).end);
  t.deepEqual(
    follower.batches.flatMap(batch => batch.records.map(({ offset }) => offset)),
    [2, 4],
  );
  // A subscription may start at a marker.
  const late = following(eventLog, 'late', { from: () => 3 });
  await until(() => late.batches.at(-1)?.to === 7, 'all offsets are accounted for');
  await late.stop();
  t.is(late.batches[0]?.from, 3);
  t.deepEqual(late.values(), valuesOf([record('a', 4)]));
});

test('a record that is no event is delivered unchanged: bytes, no key, no value', async t => {
  const topic = await topicWith();
  const eventLog = await open(t, topic);
  await produce(topic, [
    { key: 'a', value: Buffer.from([0xff, 0x00, 0xfe]), timestamp: '1700000000123' },
    { key: null, value: 'no JSON' },
    { key: 'a', value: null },
    { key: '', value: '' },
  ]);
  const follower = following(eventLog, 'anything');
  await until(
    () => follower.batches.flatMap(batch => batch.records).length === 4,
    'all have arrived',
  );
  await follower.stop();
  const got = follower.batches.flatMap(batch => batch.records);
  t.deepEqual(
    got.map(({ key, value }) => [key, value === null ? null : Buffer.from(value).toString('hex')]),
    [
      ['a', 'ff00fe'],
      [null, Buffer.from('no JSON').toString('hex')],
      ['a', null],
      ['', ''],
    ],
  );
  t.is(got[0]?.timestamp, '2023-11-14T22:13:20.123Z');
});

test('a key with a header line and a record of the maximum size are delivered intact', async t => {
  const eventLog = await openForTest(t, topicName(), {
    config: kafka.config,
    partitions: 1,
    writer: true,
  });
  const frame = record('budget-1', 1, { memo: '' }).value.length;
  const largest = record('budget-1', 1, { memo: 'x'.repeat(RECORD_BYTES_MAX - frame) });
  t.is(Buffer.byteLength(largest.value), RECORD_BYTES_MAX);
  const given = [record('budget-1', 0), largest, record('budget-1', 2)];
  await eventLog.append(given);
  const follower = following(eventLog, 'largest', { limits: { recordsMax: 10, bytesMax: 1000 } });
  await until(() => follower.values().length === 3, 'all came');
  await follower.stop();
  t.deepEqual(follower.values(), valuesOf(given));
  t.deepEqual(
    follower.batches.map(batch => batch.records.length).filter(count => count > 0),
    [1, 1, 1],
  );
});
