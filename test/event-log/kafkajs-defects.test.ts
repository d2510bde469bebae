// Defects of kafkajs that are mended in its own modules, as its callers meet them.
import { createRequire } from 'node:module';
import test from 'ava';
import { inTurn } from '../../src/event-log/kafka/kafka-client.ts';
import { patchKafkajs } from '../../src/event-log/kafka/kafkajs-defects.ts';
import { visibleRecords } from '../../src/event-log/kafka/visible-records.ts';

const HOUR_MS = 3_600_000;
const require = createRequire(import.meta.url);

test('each connection begins at the next broker, so one that never answers keeps no other away', t => {
  const brokers = inTurn(['a:1', 'b:2', 'c:3']);
  t.deepEqual(
    Array.from({ length: 4 }, () => brokers()),
    [['a:1'], ['b:2'], ['c:3'], ['a:1']],
  );
});

test('a partition without a leader is no error of the others, an unknown topic is', async t => {
  patchKafkajs();
  const leaderless = { partitionErrorCode: 5, partitionId: 1, leader: -1 };
  const healthy = { partitionErrorCode: 0, partitionId: 0, leader: 1 };
  for (const version of [0, 1, 2, 3, 4, 5, 6]) {
    const { parse } = require(`kafkajs/src/protocol/requests/metadata/v${version}/response`);
    const topic = { topicErrorCode: 0, partitionMetadata: [healthy, leaderless] };
    const data = { topicMetadata: [topic] };
    t.is(await parse(data), data);
    const unknown = { topicMetadata: [topic, { topicErrorCode: 3, partitionMetadata: [] }] };
    await t.throwsAsync(parse(unknown), { message: /does not host this topic-partition/ });
  }
});

test('a member sends heartbeats also after the clock was set back', async t => {
  patchKafkajs();
  const ConsumerGroup = require('kafkajs/src/consumer/consumerGroup');
  const logger = { namespace: () => ({ debug() {}, info() {} }) };
  const group = new ConsumerGroup({ logger, instrumentationEmitter: { emit() {} } });
  let beats = 0;
  Object.assign(group, { memberId: 'm', coordinator: { heartbeat: async () => (beats += 1) } });
  group.lastRequest = Date.now() + 2 * HOUR_MS;
  await group.heartbeat({ interval: HOUR_MS });
  await group.heartbeat({ interval: HOUR_MS });
  t.is(beats, 1, 'the next one only after the interval');
  // A partition without a leader has no offsets to ask for: kafkajs would ask again at once, for ever.
  await t.notThrowsAsync(group.seekOffsets());
});

test('a batch of very many records is read', async t => {
  patchKafkajs();
  const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0');
  const Record = require('kafkajs/src/protocol/recordBatch/record/v0');
  const Decoder = require('kafkajs/src/protocol/decoder');
  const Encoder = require('kafkajs/src/protocol/encoder');
  const decode = require('kafkajs/src/protocol/requests/fetch/v4/decodeMessages');
  const many = 150_000;
  const record = (offsetDelta: number) =>
    Record({ offsetDelta, timestampDelta: 0, key: 'a', value: '{}', headers: {} });
  const records = Array.from({ length: many }, (_, offset) => record(offset));
  const batch = await RecordBatch({ producerId: 1, lastOffsetDelta: many - 1, records });
  const size = batch.size();
  const bytes = new Encoder().writeInt32(size).writeEncoder(batch).writeInt32(7).buffer;
  const decoder = new Decoder(bytes);
  const read = await decode(decoder);
  t.is(read.length, many);
  t.is(read.at(-1).offset, String(many - 1));
  t.is(decoder.readInt32(), 7, 'what follows is read next');
  const half = new Encoder().writeInt32(size - 9).buffer;
  t.deepEqual(await decode(new Decoder(Buffer.concat([half, bytes.subarray(4, size - 5)]))), []);
  t.deepEqual(await decode(new Decoder(new Encoder().writeInt32(0).buffer)), []);
});

test('a record with very many headers is read, and no other value is lost', async t => {
  patchKafkajs();
  const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0');
  const Record = require('kafkajs/src/protocol/recordBatch/record/v0');
  const Decoder = require('kafkajs/src/protocol/decoder');
  const Encoder = require('kafkajs/src/protocol/encoder');
  const decode = require('kafkajs/src/protocol/requests/fetch/v4/decodeMessages');
  const many = 100_000;
  const names = Array.from({ length: many }, (_, index) => [`h${index}`, 'x'] as const);
  const repeats = Array.from({ length: many }, (_, index) => String(index));
  const headers = [{ ...Object.fromEntries(names), ce_id: 'e' }, { a: repeats, ce_id: 'f' }, {}];
  const records = headers.map((one, offsetDelta) =>
    Record({ offsetDelta, timestampDelta: 0, key: 'a', value: '{}', headers: one }),
  );
  const batch = await RecordBatch({ producerId: 1, lastOffsetDelta: 2, records });
  const bytes = new Encoder().writeInt32(batch.size()).writeEncoder(batch).buffer;
  const [first, second, third] = await decode(new Decoder(bytes));
  t.is(Object.keys(first.headers).length, many + 1);
  t.is(first.headers.ce_id.toString(), 'e');
  t.deepEqual(second.headers.a.map(String), repeats);
  t.is(second.headers.ce_id.toString(), 'f');
  t.deepEqual([Object.keys(third.headers), third.value.toString()], [[], '{}']);
});

test('records of formats before Kafka 0.11 are visible', t => {
  const message = { offset: '4', timestamp: '0', key: Buffer.from('a'), value: Buffer.from('{}') };
  const fetched = {
    ...{ partition: 0, lastStableOffset: '5', lastStartOffset: '0' },
    ...{ abortedTransactions: [], messages: [{ ...message, isControlRecord: false }] },
  };
  const { records, to } = visibleRecords(fetched, 4);
  t.deepEqual(
    records.map(({ offset, key }) => [offset, key]),
    [[4, 'a']],
  );
  t.is(to, 5);
});
