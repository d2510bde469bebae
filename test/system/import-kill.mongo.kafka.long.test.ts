// Imports that are killed, on Kafka.
import anyTest from 'ava';
import { readRegistry } from '../../src/store/registry.ts';
import { killImports } from '../commands/import-kill-scene.ts';
import { readAll } from '../event-log/log-under-test.ts';
import { kafkaTest, type TestKafka, useKafka } from '../helpers/kafka.ts';
import { type StartedMongo, startOwnMongo } from '../helpers/mongo.ts';
import { kafkaSystem, until } from './kafka-system.ts';

let kafka: TestKafka;
let mongo: StartedMongo;
anyTest.before(async () => {
  kafka = await useKafka();
  mongo = await startOwnMongo();
});
anyTest.after.always(async () => {
  await mongo?.stop();
  await kafka?.stop();
});
const test = kafkaTest(anyTest);

test('a killed import leaves all or nothing in Kafka, and the next one goes through', async t => {
  const system = await kafkaSystem(t, { kafka, mongo, partitions: 2 });
  system.start('project');
  // An import is refused as long as no projector has made a generation.
  const { client } = mongo;
  await until(async () => (await readRegistry(client.db('budgeting'))).generations.length > 0);
  await killImports(t, 2, {
    run: (...args) => system.begin(...args),
    subjects: async () => (await readAll(system.eventLog)).map(({ key }) => key ?? ''),
  });
});
