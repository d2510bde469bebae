// Projectors that go on running while the read model is emptied, or is another version's.
import { setTimeout as sleep } from 'node:timers/promises';
import { withState } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { memoryLog } from '../http/memory-log.ts';
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

test('a projector whose version no generation has says that it feeds nothing', async t => {
  const system = await withActive(t, mongo, [CREATED]);
  const { logger, lines } = memoryLog();
  await system.stopDeployed();
  await changeRegistry(system.readModel, read => withState(read, 'g1', { version: 99 }));
  const { stop } = system.deploy(1, { logger });
  // A retry has a lower level.
  const shown = () => lines.filter(({ level }) => level >= 30);
  while (shown().length === 0) await sleep(25);
  await stop();
  t.deepEqual(
    shown().map(({ msg }) => msg),
    [
      'This process feeds no generation: it has version 1 of the projections, and g1 is active, of version 99',
    ],
  );
});
