// Types that look like a mistake are noted again after a connection broke.
import { isTransient } from '../../src/store/database-errors.ts';
import { noteNearTypes, readNearTypes, type StoredNearType } from '../../src/store/near-types.ts';
import { test } from '../helpers/file-test.ts';
import { useFailingMongo } from '../projector/failing-mongo.ts';

const mongo = useFailingMongo(test);

test.serial('a connection that breaks is no error that ends a projector', async t => {
  const db = mongo.harmed.db(mongo.database('near_types').databaseName);
  const place = db.collection<StoredNearType>('g1_nearTypes');
  const found = [{ type: 'payee.creatd', known: 'payee.created', partition: 0, offset: 1 }];
  // The driver tries a write twice.
  await mongo.fail(2, ['update'], { closeConnection: true });
  const error = await t.throwsAsync(noteNearTypes(place, found));
  t.true(isTransient(error));
  await noteNearTypes(place, found);
  t.deepEqual(await readNearTypes(place), found);
});
