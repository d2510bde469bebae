// The progress of an index build is what the database says of it.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  completeIndexes,
  createCollections,
  generationCollections,
} from '../../../src/store/collections.ts';
import { indexPercent } from '../../../src/store/writing/indexes.ts';
import { test } from '../../helpers/file-test.ts';
import { useFailingMongo } from '../../projector/failing-mongo.ts';
import { startLockedMongo } from '../locked-mongo.ts';

const HANGING = 'hangIndexBuildDuringCollectionScanPhaseBeforeInsertion';

const mongo = useFailingMongo(test);

test('half of the rows are half of the build, and without a build there is no progress', async t => {
  const database = mongo.database('progress');
  await createCollections(database, 'g1');
  await createCollections(database, 'g10');
  const collections = generationCollections(database, 'g1');
  const ids = Array.from({ length: 400 }, (_, index) => ({ _id: `s/${1000 + index}` }));
  await database.collection<{ _id: string }>('g1_rows').insertMany(ids);
  const hang = (mode: string, data: object) =>
    mongo.client.db('admin').command({ configureFailPoint: HANGING, mode, data });
  t.is(await indexPercent(database, 'g1'), null);
  await hang('alwaysOn', { fieldsToMatch: { _id: 's/1200' } });
  const build = completeIndexes(collections);
  let percent = 0;
  for (; percent < 48; percent = (await indexPercent(database, 'g1')) ?? 0) await sleep(50);
  t.true(percent <= 50, `${percent} %`);
  t.is(await indexPercent(database, 'g10'), null);
  await hang('off', {});
  await build;
  t.is(await indexPercent(database, 'g1'), null);
});

test('the user that the operators make may not look, and sees no progress', async t => {
  const locked = await startLockedMongo();
  try {
    const database = locked.client.db('budgeting');
    await createCollections(database, 'g1');
    const looking = locked.client.db('admin').aggregate([{ $currentOp: { allUsers: true } }]);
    await t.throwsAsync(looking.toArray(), { message: /not authorized/ });
    t.is(await indexPercent(database, 'g1'), null);
    await completeIndexes(generationCollections(database, 'g1'));
  } finally {
    await locked.stop();
  }
});
