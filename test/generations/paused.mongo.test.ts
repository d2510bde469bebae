// A paused build does not affect the active generation, and takes over once an operator resumes it.
import { setTimeout as sleep } from 'node:timers/promises';
import { requestBuild } from '../../src/generations/operate.ts';
import { readPause, resumeGeneration } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { bad, good, streamsOf } from '../projector/paused-scene.ts';
import { type Supervised, supervised } from './supervised.ts';

const mongo = useMongo(test);

const WHILE_MS = 1500;

async function paused({ collectionsOf }: Supervised, generation: string): Promise<void> {
  while (!(await readPause(collectionsOf(generation)))) await sleep(20);
}

test('a paused build does not pause the active generation', async t => {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  const [stream = '', ...streams] = streamsOf('good', 10);
  const eventOf = eventMaker(stream);
  await system.append([eventOf(CREATED), ...streams.map(good), ...streamsOf('bad', 30).map(bad)]);
  const projector = system.deploy(1);
  await paused(system, 'g1');
  t.is((await system.registry()).active, null);
  await resumeGeneration(system.collectionsOf('g1'));
  await system.until(({ active }) => active === 'g1');
  const { id } = await requestBuild(system.readModel, 1);
  await paused(system, id);
  t.is(await readPause(system.collectionsOf('g1')), null);
  await system.append([eventOf(payee('next'))]);
  const { heads } = system.collectionsOf('g1');
  while ((await heads.countDocuments({ _id: stream, sequence: 2 })) === 0) await sleep(20);
  await sleep(WHILE_MS);
  t.is((await system.registry()).active, 'g1');
  await resumeGeneration(system.collectionsOf(id));
  await system.until(({ active }) => active === id);
  await projector.stop();
});

test('a newer version builds while the active generation is paused', async t => {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  await system.append(streamsOf('good', 100).map(good));
  const old = system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  await system.append(streamsOf('bad', 32).map(bad));
  await paused(system, 'g1');
  const fresh = system.deploy(2);
  await system.until(({ generations }) => generations.some(({ id }) => id === 'g2'));
  // A real newer version can apply these events; here an operator accepts them.
  await paused(system, 'g2');
  await resumeGeneration(system.collectionsOf('g2'));
  await system.until(({ active }) => active === 'g2');
  t.not(await readPause(system.collectionsOf('g1')), null);
  await Promise.all([old.stop(), fresh.stop()]);
});
