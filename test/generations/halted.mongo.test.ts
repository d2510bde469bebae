// While a partition of the active generation is halted, no generation built from the same log replaces it.
import { requestBuild } from '../../src/generations/operate.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED } from '../projections/story.ts';
import { withActive } from './supervised.ts';

const mongo = useMongo(test);

test('a build waits while a partition of the active generation is halted, and reports it', async t => {
  const system = await withActive(t, mongo, [CREATED, payee('a')]);
  const { checkpoints } = system.collectionsOf('g1');
  const reason = 'DATA_LOSS in folder x, partition 1: the test';
  await checkpoints.updateOne({ _id: 1 }, { $set: { halted: { at: new Date(), reason } } });
  await requestBuild(system.readModel, 1);
  const registry = await system.until(({ generations }) =>
    generations.some(({ waitsFor }) => waitsFor != null),
  );
  t.is(registry.active, 'g1');
  t.is(registry.generations.at(-1)?.waitsFor, `Partition 1 of g1 is halted: ${reason}`);
  await checkpoints.updateOne({ _id: 1 }, { $unset: { halted: '' } });
  await system.until(({ active }) => active === 'g2');
});
