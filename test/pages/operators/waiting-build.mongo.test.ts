// The management port of a projector with a build that waits before its switch, over real servers.
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { abandonBuild, requestBuild } from '../../../src/generations/operate.ts';
import { skipHeld } from '../../../src/projector/operate/parked.ts';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { payee } from '../../model/scene.ts';
import { CREATED, eventMaker } from '../../projections/story.ts';
import { openTestStore } from '../../projector/test-store.ts';
import { startManagementScene } from './management-scene.ts';
import { sampleValue } from './prometheus-text.ts';

const LIMITS = { rowsMax: 20_000 };

const mongo = useMongo(test);

test('readiness, page and metrics report that a build waits, and that it failed', async t => {
  const here = await startManagementScene(mongo, { partitions: 1 });
  t.teardown(() => here.stop());
  const eventOf = eventMaker('budget-1');
  await here.append([CREATED, payee('a'), payee('a')].map(draft => eventOf(draft)));
  const projecting = here.project();
  await here.until(({ active }) => active === 'g1');
  here.watch();
  // The active generation skips the event; the decision lies in a store that the build does not read.
  const answering = await openTestStore(here.readModel, 'g1');
  await skipHeld(answering, 'budget-1', { missing: false, limits: LIMITS, now: new Date() });
  await requestBuild(here.readModel, PROJECTIONS_VERSION);
  const { status, body } = await here.waitsFor('generation');
  const message =
    'g2 is not switched to: Stream budget-1 is held at sequence 2 in g2, but not in g1: budgeting parked list shows it';
  t.is(status, 503);
  t.deepEqual(body.waitsFor, [{ what: 'generation', message }] as object[]);
  await here.page(/Not switched to: Stream budget-1 is held at sequence 2 in g2/);
  const waiting = 'budgeting_generation_waiting';
  const metrics = await here.metrics(
    found => sampleValue(found, waiting, { generation: 'g2' }) === 1,
  );
  t.is(sampleValue(metrics, waiting, { generation: 'g1' }), 0);

  await here.connection.client
    .db(here.readModel.databaseName)
    .collection<{ _id: number }>('g2_checkpoints')
    .updateOne({ _id: 0 }, { $set: { halted: { at: new Date(), reason: 'DATA_LOSS, the test' } } });
  await here.until(({ generations }) => generations.at(-1)?.state === 'failed');
  const failed = { what: 'generation', message: 'g2 failed: DATA_LOSS, the test' };
  for (;;) {
    const found = await here.waitsFor('generation');
    if (JSON.stringify(found.body.waitsFor) === JSON.stringify([failed])) break;
  }
  await requestBuild(here.readModel, PROJECTIONS_VERSION);
  await here.page(/Not switched to: Stream budget-1 is held at sequence 2 in g3/);
  await abandonBuild(here.readModel);
  await here.waitsFor();
  await projecting.stop();
});
