// A replica set with a member away: a majority is enough for indexes, as for everything else.
import { MongoClient } from 'mongodb';
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import {
  completeIndexes,
  createCollections,
  generationCollections,
} from '../../src/store/collections.ts';
import { missingIndexes } from '../../src/store/writing/indexes.ts';
import { startReplicaSet } from '../chaos/replica-set.ts';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('indexes of collections with documents are built while a member is away', async t => {
  const { path } = await findMongod({ env: process.env, report: () => {} });
  const set = await startReplicaSet(path, await temporaryFolder(t));
  t.teardown(() => set.stop());
  const client = await new MongoClient(set.url).connect();
  t.teardown(() => client.close());
  const db = client.db('budgeting');
  await createCollections(db, 'g1');
  const collections = generationCollections(db, 'g1');
  // The index build of an empty collection waits for nobody.
  for (const { collectionName } of Object.values(collections)) {
    await db.collection(collectionName).insertOne({ set: 'b1' });
  }
  const access = client.db('budgeting_access');
  await access.collection('limits_address').insertOne({ expiresAt: new Date() });
  const primary = await set.primary();
  const away = set.members.find(member => member !== primary);
  away?.signal('SIGKILL');
  await away?.ended();
  await completeIndexes(collections);
  t.deepEqual(await missingIndexes(collections), []);
  await ensureAccessIndexes(access);
  const limits = await access.collection('limits_address').indexes();
  t.deepEqual(
    limits.map(({ name }) => name),
    ['_id_', 'expiresAt_1'],
  );
});
