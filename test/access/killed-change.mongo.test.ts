// A process that was killed while it changed a token leaves its transaction open, with its locks: the next one ends it.
import { randomBytes } from 'node:crypto';
import { Binary } from 'mongodb';
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');

const mongo = useMongo(test);

test('a token is revoked although a killed process has it locked', async t => {
  const db = mongo.database('killed_change');
  await ensureAccessIndexes(db);
  const tokens = createTokenStore(db);
  const { record } = await tokens.issue({ owner: 'anna' }, NOW);
  const names = db.collection<{ _id: Binary; at: Date }>('open_sessions');
  t.is(await names.countDocuments(), 0, 'the session has no name any more');
  const killed = db.client.startSession();
  t.teardown(() => killed.endSession());
  killed.startTransaction();
  const revoked = { $set: { revokedAt: new Date(0) } };
  await db.collection('tokens').updateOne({ owner: 'anna' }, revoked, { session: killed });
  const at = new Date(Date.now() - 60_000);
  await names.insertOne({ _id: killed.id?.id as Binary, at });
  // The name of a session that has ended is no obstacle.
  await names.insertOne({ _id: new Binary(randomBytes(16), Binary.SUBTYPE_UUID), at });
  t.is(await tokens.revoke(record.id, NOW, 'anna'), 'revoked');
  t.deepEqual((await db.collection('tokens').findOne({ owner: 'anna' }))?.revokedAt, NOW);
  t.is(await names.countDocuments(), 0);
});
