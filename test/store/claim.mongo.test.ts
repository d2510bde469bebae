// A claim ends the sessions of the former owner, and no other ones; and none makes a dropped generation again.
import { createLogger } from '../../src/process/log.ts';
import { without } from '../../src/store/generation-plan.ts';
import { changeRegistry, dropLeftovers } from '../../src/store/registry.ts';
import { retried } from '../../src/store/retry.ts';
import {
  claimPartition,
  HALTED,
  haltPartition,
  holdsLog,
} from '../../src/store/writing/checkpoints.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { space } from '../model/scene.ts';
import { anotherClient } from '../projector/partition-scene.ts';
import { openTestStore } from '../projector/test-store.ts';

const mongo = useMongo(test);

test('a former owner without sessions ends no transaction of anybody else', async t => {
  const { collections } = await openTestStore(mongo.database('claim'));
  const { checkpoints } = collections;
  // As in the product: on a busy machine an answer may come too late.
  const claim = (owner: string) =>
    retried(
      () => claimPartition(checkpoints, { partition: 0, sessions: [], partitions: 1, owner }),
      { logger: createLogger('silent'), signal: new AbortController().signal },
    );
  await claim('first');
  const client = await anotherClient(mongo.url);
  t.teardown(() => client.close());
  const session = client.startSession();
  session.startTransaction();
  const notes = client.db(checkpoints.dbName).collection('notes');
  await notes.insertOne({ text: 'kept' }, { session });
  await claim('second');
  await session.commitTransaction();
  t.is(await notes.countDocuments(), 1);
});

test('a former owner neither halts a partition nor lets it go on', async t => {
  const { collections } = await openTestStore(mongo.database('halted_claim'));
  const { checkpoints } = collections;
  const claim = (owner: string) =>
    claimPartition(checkpoints, { partition: 0, sessions: [], partitions: 1, owner });
  const [former, owner] = [await claim('first'), await claim('second')];
  const halted = async () => await checkpoints.countDocuments(HALTED);
  await haltPartition(checkpoints, former, 'Lost');
  t.is(await halted(), 0);
  await haltPartition(checkpoints, owner, 'Lost');
  t.is(await halted(), 1);
  await holdsLog(checkpoints, former);
  t.is(await halted(), 1);
  await holdsLog(checkpoints, owner);
  t.is(await halted(), 0);
});

test('a projector that stood still does not build a dropped generation again', async t => {
  const db = mongo.database('dropped');
  const { store, project } = await createReadModel(db);
  await project('s1', ...space(['anna']));
  await changeRegistry(db, registry => without(registry, 'g1'));
  await dropLeftovers(db);
  const message = 'Generation g1 was dropped: this process feeds it no longer';
  // The second claim finds the checkpoint of the first, as it does when an answer gets lost.
  for (const attempt of ['first', 'second'])
    await t.throwsAsync(project('s1', ...space(['anna'])), { message }, attempt);
  t.is(await store.collections.heads.countDocuments(), 0);
  t.deepEqual(await dropLeftovers(db), ['g1']);
});
