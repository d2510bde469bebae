// The bytes that fetchers take, of a real topic.
import anyTest from 'ava';
import { openCluster } from '../../src/event-log/kafka/cluster.ts';
import { createFetchers, type Fetcher } from '../../src/event-log/kafka/fetcher.ts';
import { createKafkaClient, type KafkaClient } from '../../src/event-log/kafka/kafka-client.ts';
import { createLogger } from '../../src/process/log.ts';
import { createTopic, kafkaTest, plainClient, type TestKafka, useKafka } from '../helpers/kafka.ts';

const MEGABYTE = 1024 * 1024;
const PARTITIONS = 12;

let kafka: TestKafka;
let client: KafkaClient;
anyTest.before(async () => {
  kafka = await useKafka();
  client = createKafkaClient(kafka.config, createLogger('silent'));
});
anyTest.after.always(() => client?.end());
anyTest.after.always(() => kafka?.stop());
const test = kafkaTest(anyTest);

/** Returns fetchers of a topic with 4 MB in each partition, in batches of half a megabyte. */
async function filled(): Promise<Fetcher[]> {
  const topic = await createTopic(kafka.config, PARTITIONS, {});
  const producer = plainClient(kafka.config).producer();
  await producer.connect();
  const value = Buffer.alloc(MEGABYTE / 2, 'x');
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    for (let n = 0; n < 8; n += 1) {
      await producer.send({ topic, messages: [{ partition, key: 'k', value }] });
    }
  }
  await producer.disconnect();
  const openFetcher = createFetchers(() => openCluster(client.kafka, topic), topic);
  return Array.from({ length: PARTITIONS }, (_, partition) => openFetcher(partition));
}

async function fetchedBytes(fetcher: Fetcher): Promise<number> {
  const fetched = await fetcher.fetch(0, new AbortController().signal);
  if (fetched === null || 'interrupted' in fetched) throw new Error('Nothing was fetched');
  return fetched.records.reduce((bytes, { value }) => bytes + (value?.length ?? 0), 0);
}

test('connected fetchers share the bytes that all take together; a closed one leaves its share', async t => {
  const fetchers = await filled();
  const [first, ...others] = fetchers;
  if (!first) throw new Error('No fetcher');
  t.teardown(() => {
    for (const fetcher of fetchers) fetcher.close();
  });
  t.is(await fetchedBytes(first), 2.5 * MEGABYTE);
  t.deepEqual(
    await Promise.all(fetchers.map(fetchedBytes)),
    fetchers.map(() => MEGABYTE),
  );
  for (const other of others) other.close();
  others[0]?.close();
  t.is(await fetchedBytes(first), 2.5 * MEGABYTE);
  first.close();
  t.is(await fetchedBytes(first), 2.5 * MEGABYTE);
});
