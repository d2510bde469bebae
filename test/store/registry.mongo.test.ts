// Processes of two releases change one registry.
import { withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry, dropLeftovers, readRegistry } from '../../src/store/registry.ts';
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

test('a new generation takes no collections over that are newer than a restored registry', async t => {
  const db = mongo.newDatabase('registry');
  await changeRegistry(db, read => withNew({ ...read, made: 2 }, 1, new Date()));
  await db.collection('g4_checkpoints').insertOne({});
  await db.collection('g3_checkpoints').insertOne({});
  const { generations, made } = await changeRegistry(db, read => withNew(read, 1, new Date()));
  t.deepEqual(
    generations.map(({ id }) => id),
    ['g3', 'g5'],
  );
  t.is(made, 5);
  t.deepEqual(await dropLeftovers(db), ['g4']);
});
