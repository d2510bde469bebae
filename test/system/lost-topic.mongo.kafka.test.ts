// Every command reports a missing or recreated topic; none creates it, and none appends to it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import anyTest from 'ava';
import { exportedBudget, REFUSED, refused, reportedByStatus } from '../commands/data-loss-scene.ts';
import { openForTest } from '../event-log/kafka-log-under-test.ts';
import { readAll } from '../event-log/log-under-test.ts';
import { administer, createTopic, deleteTopic, kafkaTest } from '../helpers/kafka.ts';
import { useKafkaAndMongo } from '../helpers/kafka-and-mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { kafkaSystem, until } from './kafka-system.ts';

const servers = useKafkaAndMongo(anyTest);
const test = kafkaTest(anyTest);

async function topics(): Promise<string[]> {
  return administer(servers().kafka.config, admin => admin.listTopics());
}

test.serial('every command reports a deleted topic, and none creates it again', async t => {
  const system = await kafkaSystem(t, { ...servers(), partitions: 2 });
  const { topic } = system;
  const eventOf = eventMaker('budget-1');
  const projector = system.start('project');
  await projector.printed(/Projecting/);
  await system.append([eventOf(CREATED)]);
  await until(
    async () => (await system.collections.checkpoints.countDocuments({ next: { $gt: 0 } })) === 1,
  );
  const registry = servers().mongo.client.db('budgeting').collection('registry');
  await until(async () => (await registry.countDocuments({ active: 'g1' })) === 1);
  projector.child.kill('SIGTERM');
  t.is((await projector.ended).code, 0);
  const file = join(await temporaryFolder(t), 'events.ndjson');
  await writeFile(file, `${JSON.stringify(eventOf(payee('p')))}\n`);
  const imported = await exportedBudget(t);

  await deleteTopic(servers().kafka.config, topic);
  await until(async () => !(await topics()).includes(topic));
  const line = new RegExp(
    `^DATA_LOSS: there is no topic ${topic}, though offset \\d+ of partition \\d was projected from it: bring it back, or name the right one \\(docs/operations\\.md, DATA_LOSS\\)\n$`,
  );
  for (const args of [['append', file], imported, ['rebuild']]) {
    refused(t, await system.run(...args), line);
  }
  t.is((await system.run('verify')).code, 3);
  reportedByStatus(t, await system.run('status'), line);
  const ended = await system.start('project').ended;
  t.is(ended.code, 1);
  t.regex(ended.out, /^Operators \S+\n$/);
  t.regex(ended.err, line);
  t.false((await topics()).includes(topic), 'no new topic');

  const made = await openForTest(t, topic, { config: servers().kafka.config, partitions: 2 });
  const halt = `DATA_LOSS in topic ${topic}, partition \\d: expected offset \\d+ next, but the log holds no record`;
  for (const args of [['append', file], imported]) {
    const { code, out, err } = await system.run(...args);
    t.deepEqual([code, out], [1, '']);
    t.regex(err, new RegExp(`^${halt}\n`));
    t.true(err.endsWith(`\n${REFUSED}\n`), err);
  }
  t.deepEqual(await readAll(made), []);
});

test.serial('commands that only read create no topic before the first projection', async t => {
  const system = await kafkaSystem(t, { ...servers(), partitions: 2 });
  await deleteTopic(servers().kafka.config, system.topic);
  await until(async () => !(await topics()).includes(system.topic));
  const { code, out, err } = await system.run('status');
  t.is(code, 1);
  t.is(out, 'There is no read model yet: start a projector first\n');
  t.is(err, `There is no topic ${system.topic} yet: start a projector first\n`);
  refused(t, await system.run('rebuild'), /^There is no topic \S+ yet: start a projector first\n$/);
  t.false((await topics()).includes(system.topic));
  const projector = system.start('project');
  await projector.printed(/Projecting/);
  t.true((await topics()).includes(system.topic), 'the projector creates it');
});

test.serial('a log that must not create a topic opens an existing one', async t => {
  const topic = await createTopic(servers().kafka.config, 2);
  const eventLog = await openForTest(t, topic, { config: servers().kafka.config, create: false });
  t.is(await eventLog.partitions(), 2);
});
