// Chunks of two partitions in one transaction of a real MongoDB (rules/projecting.md#small-chunks-together).
import { FencedError, StaleError } from '../../src/store/database-errors.ts';
import { claimPartition } from '../../src/store/writing/checkpoints.ts';
import { NO_WRITES, openCommitSession } from '../../src/store/writing/commit.ts';
import { createCommitGroup, joined } from '../../src/store/writing/commit-group.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { openTestStore } from './test-store.ts';

const mongo = useMongo(test);

async function scene() {
  const db = mongo.database('together');
  const { collections } = await openTestStore(db);
  const { checkpoints } = collections;
  const open = () => openCommitSession(db.client, collections);
  const group = createCommitGroup(open());
  const claim = (partition: number, owner: string) =>
    claimPartition(checkpoints, { partition, owner, sessions: [], partitions: 3 });
  const partitions = await Promise.all(
    [0, 1, 2].map(async partition => {
      const { epoch } = await claim(partition, 'first');
      const session = joined(open(), group);
      const commit = (from: number) =>
        session.commit({
          ...NO_WRITES,
          checkpoints: [{ partition, epoch, from, to: from + 1, fingerprints: [] }],
        });
      return { commit };
    }),
  );
  const nexts = async () => {
    const stored = await checkpoints.find().sort({ _id: 1 }).toArray();
    return stored.map(({ next }) => next);
  };
  return { partitions, claim, nexts, collections };
}

test('all of them are stored, or none is', async t => {
  const { partitions, claim, nexts } = await scene();
  const commitAll = (from: number) =>
    Promise.allSettled(partitions.map(({ commit }) => commit(from)));
  t.deepEqual(
    (await commitAll(0)).map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled'],
  );
  t.deepEqual(await nexts(), [1, 1, 1]);
  await claim(2, 'second');
  const [first, ...others] = await commitAll(1);
  t.is(first?.status, 'fulfilled');
  for (const one of others) t.true(one.status === 'rejected' && one.reason instanceof StaleError);
  t.deepEqual(await nexts(), [2, 1, 1]);
  const [, second, third] = await Promise.allSettled(partitions.map(({ commit }) => commit(1)));
  t.is(second?.status, 'fulfilled');
  t.true(third?.status === 'rejected' && third.reason instanceof FencedError);
  t.deepEqual(await nexts(), [2, 2, 1]);
});
