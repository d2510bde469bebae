// The database of the read model is emptied under projectors that go on running.
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED } from '../projections/story.ts';
import { withActive } from './supervised.ts';

const mongo = useMongo(test);

test('a read model that was emptied under a projector is built again, though nothing comes', async t => {
  const system = await withActive(t, mongo, [CREATED, payee('a')]);
  const [before] = (await system.registry()).generations;
  await system.readModel.dropDatabase();
  const { generations } = await system.until(({ active }) => active === 'g1');
  t.not(generations[0]?.startedAt.getTime(), before?.startedAt.getTime());
  t.like(await system.collectionsOf('g1').heads.findOne(), { sequence: 2 });
});
