// Processes of two releases change one registry.
import { withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry, readRegistry } from '../../src/store/registry.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const mongo = useMongo(test);

test('a change keeps what a later release has noted', async t => {
  const db = mongo.newDatabase('registry');
  const add = () => changeRegistry(db, read => withNew(read, 1, new Date()));
  await add();
  const later = { noted: 'by a later release' };
  await db.collection('registry').updateOne({}, { $set: { later } });
  await add();
  const { made, revision } = await readRegistry(db);
  t.deepEqual({ made, revision }, { made: 2, revision: 2 });
  t.like(await db.collection('registry').findOne({}), { later });
});
