// Decisions are read again only when there are new ones: each chunk of every partition asks for them.
import type { Db } from 'mongodb';
import { createDecisionLog } from '../../src/access/decisions.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const mongo = useMongo(test);
const NOW = new Date('2026-03-14T09:26:53.589Z');

test('they stay in memory until another process decides', async t => {
  const db = mongo.database('decisions');
  let reads = 0;
  const counted = {
    collection(name: string) {
      const collection = db.collection(name);
      const find = (...given: Parameters<typeof collection.find>) => {
        reads += 1;
        return collection.find(...given);
      };
      return Object.create(collection, { find: { value: find } });
    },
  };
  const own = createDecisionLog(counted as unknown as Db);
  const other = createDecisionLog(db);
  t.false((await own.load())('b', 1, 'e1'));
  t.is(reads, 0);
  await other.remember({ subject: 'b', sequence: 1, eventId: null }, NOW);
  for (let times = 0; times < 3; times += 1) {
    const isSkipped = await own.load();
    t.deepEqual([isSkipped('b', 1, 'e1'), isSkipped('b', 2, 'e2')], [true, false]);
  }
  t.is(reads, 1);
  await other.remember({ subject: 'b', sequence: 2, eventId: 'e2' }, NOW);
  const isSkipped = await own.load();
  t.deepEqual([isSkipped('b', 2, 'e2'), isSkipped('b', 2, 'other')], [true, false]);
  t.is(reads, 2);
});
