// The parking alarm over two projectors as processes of the real command line, on a real Kafka.
import { setTimeout as sleep } from 'node:timers/promises';
import anyTest from 'ava';
import { caughtUp } from '../chaos/fresh-projection.ts';
import type { Started } from '../commands/started.ts';
import { kafkaTest } from '../helpers/kafka.ts';
import { useKafkaAndMongo } from '../helpers/kafka-and-mongo.ts';
import { payee } from '../model/scene.ts';
import { askPort } from '../pages/operators/management-scene.ts';
import { eventMaker } from '../projections/story.ts';
import { bad, good, streamsOf, untilStopped } from '../projector/paused-scene.ts';
import { addressOf, kafkaSystem, until } from './kafka-system.ts';

const servers = useKafkaAndMongo(anyTest);
const test = kafkaTest(anyTest);

const WAIT_MS = 400_000;
/** Longer than a projector needs to continue by mistake. */
const WHILE_MS = 3000;

test('two projectors pause together, stay up, report the reason, and continue after parked resume', async t => {
  const system = await kafkaSystem(t, { ...servers(), partitions: 4 });
  const { collections, eventLog, run } = system;
  const healthy = streamsOf('good', 35);
  await system.append(healthy.map(good));
  const begin = async () => {
    const started = system.start('project');
    return { started, port: Number(new URL(await addressOf(started, 'Operators')).port) };
  };
  const projectors = [await begin(), await begin()];
  await until(async () => (await run('status', '--json')).code === 0);
  await caughtUp(collections, eventLog, WAIT_MS);
  const paused = /g1 is paused: \d+ of \d+ streams would have been parked within 60 s; look at/;
  const ready = async (port: number) => (await askPort(port, '/readyz')).text;
  const eachSays = (pattern: RegExp) =>
    until(async () => {
      const texts = await Promise.all(projectors.map(({ port }) => ready(port)));
      return texts.every(text => pattern.test(text));
    });
  await eachSays(/"ready":true/);
  await system.append(streamsOf('bad', 32).map(bad));
  await eachSays(paused);
  await untilStopped(collections);
  await system.append(healthy.map(stream => eventMaker(stream)(payee('next'), { sequence: 2 })));
  const nexts = async () =>
    (await collections.checkpoints.find().sort({ _id: 1 }).toArray()).map(({ next }) => next);
  const before = await nexts();
  // A restarted projector stays paused; the other one takes its partitions meanwhile.
  const [first] = projectors as [{ started: Started; port: number }];
  first.started.child.kill('SIGTERM');
  t.is((await first.started.ended).code, 0);
  projectors[0] = await begin();
  await eachSays(paused);
  await sleep(WHILE_MS);
  t.deepEqual(await nexts(), before);
  t.true((await collections.heads.countDocuments({ 'held.why': 'parked' })) < 20);
  t.regex((await run('status')).out, paused);
  const resumed = await run('parked', 'resume');
  t.is(resumed.code, 0, resumed.err);
  t.regex(resumed.out, /^g1 goes on: /);
  await caughtUp(collections, eventLog, WAIT_MS);
  t.is(await collections.heads.countDocuments({ 'held.why': 'parked' }), 32);
  t.is(await collections.heads.countDocuments({ sequence: 2, held: null }), 35);
  await eachSays(/"ready":true/);
  for (const { started } of projectors) t.is(started.child.exitCode, null);
});
