// The management port of a process whose generation is paused: one partition, a folder log, a real mongod.
import { setTimeout as sleep } from 'node:timers/promises';
import { generationCollections } from '../../../src/store/collections.ts';
import { resumeGeneration } from '../../../src/store/writing/parking-alarm.ts';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { bad, good, streamsOf } from '../../projector/paused-scene.ts';
import { startManagementScene } from './management-scene.ts';
import { sampleValue } from './prometheus-text.ts';

const mongo = useMongo(test);

const CHECKS = 5;
const CHECK_MS = 1100;

test('a paused process stays up and not ready, and reports the reason on every path', async t => {
  const here = await startManagementScene(mongo, { partitions: 1 });
  t.teardown(() => here.stop());
  await here.append(streamsOf('good', 35).map(good));
  here.watch();
  here.project();
  await here.until(({ active }) => active === 'g1');
  await here.waitsFor();
  const paused = (families: Awaited<ReturnType<typeof here.metrics>>) =>
    sampleValue(families, 'budgeting_projection_paused', { generation: 'g1' });
  t.is(paused(await here.metrics()), 0);
  await here.append(streamsOf('bad', 32).map(bad));
  const message =
    'g1 is paused: 32 of 67 streams would have been parked within 60 s; look at budgeting parked list and the log, then budgeting parked resume';
  const waitsFor = [{ what: 'operator', message }];
  t.deepEqual(await here.waitsFor('operator'), { status: 503, body: { ready: false, waitsFor } });
  // The state is stable until an operator resumes.
  for (let check = 0; check < CHECKS; ) {
    await sleep(CHECK_MS);
    const { status, text } = await here.ask('/readyz');
    // A database that is slow for a second says nothing about the pause.
    if (/The database does not answer/.test(text)) continue;
    check += 1;
    t.deepEqual({ status, ...JSON.parse(text) }, { status: 503, ready: false, waitsFor });
  }
  t.is((await here.ask('/livez')).status, 200);
  await here.metrics(found => paused(found) === 1);
  await here.page(/Paused since .*: 32 of 67 streams/, /npx budgeting parked resume/);
  await resumeGeneration(generationCollections(here.readModel, 'g1'));
  await here.waitsFor();
  await here.metrics(found => paused(found) === 0);
});
