// The bounds of a transaction that chunks share: its age, its records, and the cache of the server.
import { test } from '../helpers/file-test.ts';
import { useFailingMongo } from './failing-mongo.ts';
import { hand, story } from './hand-over.ts';
import { LARGE, PATIENT_LIMITS, sharingIn, storedNext } from './sharing-scene.ts';
import { dump } from './test-store.ts';

const mongo = useFailingMongo(test);

// Serial, because fail points belong to the server.
const serially = test.serial;

const { sharing, undisturbed } = sharingIn(mongo);

serially('a transaction with too many records accepts no further part', async t => {
  const sharingLimits = { ...PATIENT_LIMITS, recordsMax: 2 * LARGE };
  const { scene, pipeline } = await sharing(story(250), { sharing: sharingLimits });
  t.not(pipeline.phase, 'sharing');
  await pipeline.leave();
  t.is(await storedNext(scene), 2 * LARGE);
});

serially('a transaction that is too large for the cache of the server shrinks', async t => {
  const events = story(600);
  const { scene, pipeline } = await sharing(events);
  await mongo.fail(1, ['insert'], { errorCode: 388 });
  let next = 2 * LARGE;
  // Parts may still be folded while the one that fails is at the store.
  while (next > 0 && next < events.length) {
    next = Number(await hand(pipeline, scene, { from: next, count: LARGE }));
  }
  t.is(next, 0, 'back to where the parts began');
  let shared = 0;
  while (next < events.length) {
    const outcome = await hand(pipeline, scene, { from: next, count: LARGE });
    if (typeof outcome !== 'number') throw new Error(`The outcome is ${outcome}`);
    if (pipeline.phase === 'sharing') shared += 1;
    next = outcome;
  }
  t.is(shared, 0, 'half of three parts is one');
  t.deepEqual(await dump(scene.store), await undisturbed(events));
});

serially('an old transaction accepts no further part', async t => {
  const sharingLimits = { ...PATIENT_LIMITS, ageMsMax: 0 };
  const { scene, pipeline } = await sharing(story(250), { sharing: sharingLimits });
  t.not(pipeline.phase, 'sharing');
  await pipeline.leave();
  t.is(await storedNext(scene), 2 * LARGE);
});
