// A claim ends the sessions of the former owner, and no other ones.
import { claimPartition } from '../../src/store/writing/checkpoints.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { anotherClient } from '../projector/partition-scene.ts';
import { openTestStore } from '../projector/test-store.ts';

const mongo = useMongo(test);

test('a former owner without sessions ends no transaction of anybody else', async t => {
  const { collections } = await openTestStore(mongo.database('claim'));
  const { checkpoints } = collections;
  const claimant = { partition: 0, sessions: [], partitions: 1 };
  await claimPartition(checkpoints, { ...claimant, owner: 'first' });
  const client = await anotherClient(mongo.url);
  t.teardown(() => client.close());
  const session = client.startSession();
  session.startTransaction();
  const notes = client.db(checkpoints.dbName).collection('notes');
  await notes.insertOne({ text: 'kept' }, { session });
  await claimPartition(checkpoints, { ...claimant, owner: 'second' });
  await session.commitTransaction();
  t.is(await notes.countDocuments(), 1);
});
