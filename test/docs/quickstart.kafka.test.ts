// docs/quickstart/publish.mjs on a real broker: `append` and the projectors would have put the events in the same places.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { administer, kafkaTest, plainClient, type TestKafka, useKafka } from '../helpers/kafka.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { runBlock, shellBlocks } from './shell-blocks.ts';

const PARTITIONS = 12;

let kafka: TestKafka;
const needsKafka = kafkaTest(test);
needsKafka.before(async () => {
  kafka = await useKafka();
});
needsKafka.after.always(async () => {
  await kafka?.stop();
});

needsKafka('events lie in order in the partitions of their keys', async t => {
  const blocks = shellBlocks('docs/events.md');
  const block = blocks.find(({ comment }) => comment?.includes('quickstart.kafka.test.ts'));
  const topic = `quickstart.${randomBytes(4).toString('hex')}`;
  await administer(kafka.config, admin =>
    admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS }], waitForLeaders: true }),
  );
  const env = { KAFKA_BROKERS: kafka.config.brokers.join(','), EVENTS_TOPIC: topic };
  const ran = await runBlock(block?.code ?? '', process.cwd(), { ...process.env, ...env });
  t.is(ran.code, 0, ran.err);

  const text = await readFile('docs/quickstart/five-events.ndjson', 'utf8');
  const lines = text.trimEnd().split('\n');
  const placed = new Map<number, string[]>();
  for (const line of lines) {
    const partition = partitionOf(JSON.parse(line).subject, PARTITIONS);
    placed.set(partition, [...(placed.get(partition) ?? []), line]);
  }
  const found = await recordsOf(topic, lines.length);
  t.deepEqual(Object.fromEntries(found), Object.fromEntries(placed));
});

needsKafka('a history is larger than a batch of a topic may be', async t => {
  const topic = `quickstart.${randomBytes(4).toString('hex')}`;
  await administer(kafka.config, admin =>
    admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true }),
  );
  const path = join(await temporaryFolder(t), 'history.ndjson');
  const lines = Array.from({ length: 3000 }, (_, index) =>
    JSON.stringify({
      subject: 'budget-1',
      sequence: index + 1,
      text: randomBytes(300).toString('hex'),
    }),
  );
  await writeFile(path, lines.join('\n'));
  const env = { KAFKA_BROKERS: kafka.config.brokers.join(','), EVENTS_TOPIC: topic };
  const ran = await runBlock(`node docs/quickstart/publish.mjs ${path}`, process.cwd(), {
    ...process.env,
    ...env,
  });
  t.is(ran.code, 0, ran.err);
  t.deepEqual((await recordsOf(topic, lines.length)).get(0), lines);
});

async function recordsOf(topic: string, count: number): Promise<Map<number, string[]>> {
  const consumer = plainClient(kafka.config).consumer({ groupId: `${topic}.test` });
  const found = new Map<number, string[]>();
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise<void>(resolve => {
    let read = 0;
    void consumer.run({
      async eachMessage({ partition, message: { key, value } }) {
        const text = String(value);
        if (String(key) !== JSON.parse(text).subject) throw new Error(`Key ${key} of ${text}`);
        found.set(partition, [...(found.get(partition) ?? []), text]);
        read += 1;
        if (read === count) resolve();
      },
    });
  });
  await consumer.disconnect();
  return found;
}
