// A skip while the missing event arrives drops no valid event.
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { differencesIn } from './differences-in.ts';
import { createPartitionScene } from './partition-scene.ts';

const LIMITS = { rowsMax: 20_000 };
const NOW = new Date('2026-03-14T09:26:53.589Z');

const mongo = useMongo(test);

test('skip drains a gap whose event has arrived, and stores no decision', async t => {
  const scene = await createPartitionScene(mongo.database('filled'));
  const eventOf = eventMaker('budget-1');
  const [created, missing, later] = [CREATED, payee('a'), payee('b')].map(draft => eventOf(draft));
  await scene.tell(created as object, later as object);
  t.is((await scene.head('budget-1'))?.held?.why, 'gap');
  // The missing event is in the queue, and the projector is about to drain it.
  scene.eventLog.add(missing as object);
  const { heads, waiting, checkpoints } = scene.store.collections;
  await waiting.insertOne({
    _id: 'budget-1/0000000002/budget-1.2',
    subject: 'budget-1',
    ...{ sequence: 2, partition: 0, offset: 2, eventId: 'budget-1.2' },
    value: JSON.stringify(missing),
  });
  await heads.updateOne({ _id: 'budget-1' }, { $set: { 'held.queued': 2 } });
  await checkpoints.updateOne({ _id: 0 }, { $set: { next: 3 } });
  t.like(await skipHeld(scene.store, 'budget-1', { missing: false, limits: LIMITS, now: NOW }), {
    sequence: 3,
    held: null,
  });
  t.is(await scene.db.collection('decisions').countDocuments(), 0);
  t.deepEqual(await differencesIn(scene), []);
});
