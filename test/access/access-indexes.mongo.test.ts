// A database that takes no writes keeps nobody waiting for the indexes; a build that was begun goes on.
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { DatabaseTimeoutError, isTransient } from '../../src/store/database-errors.ts';
import { test } from '../helpers/file-test.ts';
import { useFailingMongo } from '../projector/failing-mongo.ts';

const mongo = useFailingMongo(test);

test.serial('indexes that are not there in time are an error that passes by itself', async t => {
  const db = mongo.harmed.db('access_indexes');
  await mongo.fail(1, ['createIndexes'], { blockConnection: true, blockTimeMS: 2000 });
  const error = await t.throwsAsync(ensureAccessIndexes(db, 100), {
    instanceOf: DatabaseTimeoutError,
  });
  t.true(isTransient(error));
  await ensureAccessIndexes(db);
  t.true(await db.collection('tokens').indexExists('hash_1'));
});
