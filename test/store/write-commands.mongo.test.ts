// Writes that need several commands.
import type { Db } from 'mongodb';
import { createLogger } from '../../src/process/log.ts';
import { generationCollections } from '../../src/store/collections.ts';
import { loadHeads } from '../../src/store/heads.ts';
import { retried } from '../../src/store/retry.ts';
import { noWrites, write } from '../../src/store/write-commands.ts';
import { inSession } from '../../src/store/writing/commit-transaction.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const mongo = useMongo(test);
const MANY = 2500;
const ids = Array.from({ length: MANY }, (_, index) => `d${index}`);

interface Numbered {
  readonly _id: string;
  readonly n: number;
}

const insertsOf = (all: readonly string[]) => all.map((_id, n) => ({ _id, n }));

/** Makes an empty collection, because a transaction would have to make it. */
async function emptyCollection(db: Db) {
  return await db.createCollection<Numbered>('many');
}

test('every one of many inserts, updates and deletes is written, and counted once', async t => {
  const db = mongo.database('many');
  const many = await emptyCollection(db);
  const updates = ids.map((_id, n) => ({ q: { _id }, u: { $set: { n: n + 1 } } }));
  const counts: number[] = [];
  await inSession(db, async session => {
    counts.push(await write(many, { ...noWrites(), inserts: insertsOf(ids) }, session));
    counts.push(await write(many, { ...noWrites(), updates }, session));
    counts.push(await write(many, { ...noWrites(), deletes: ids.slice(0, -1) }, session));
  });
  t.deepEqual(counts, [MANY, MANY, 0]);
  t.deepEqual(await many.find().toArray(), [{ _id: ids.at(-1) as string, n: MANY }]);
});

test('more streams are looked up than one command names', async t => {
  const { heads } = generationCollections(mongo.database('streams'), 'g1');
  const uuids = Array.from({ length: 400_000 }, (_, n) => `${n}`.padStart(36, '0'));
  t.is((await loadHeads(heads, uuids)).size, 0);
});

test('a refusal in any of the commands rejects, and nothing is written', async t => {
  const db = mongo.database('refused');
  const many = await emptyCollection(db);
  for (const repeated of [0, MANY - 1]) {
    const inserts = insertsOf(ids.with(repeated, 'd1200'));
    const written = inSession(db, async session => {
      await write(many, { ...noWrites(), inserts }, session);
    });
    await t.throwsAsync(written, { message: /duplicate key/ });
    t.is(await many.countDocuments(), 0);
  }
});

/** Half a million letters of three bytes each; together the documents have 36 MB, and a command at most 16. */
const LONG = { text: '\u4e2d'.repeat(500_000), memos: new Map([['a', '\u4e2d']]) };

test('documents that are too large for one command together are written by several', async t => {
  const db = mongo.database('large');
  const many = await emptyCollection(db);
  const some = ids.slice(0, 24);
  const inserts = some.map(_id => ({ _id, ...LONG }));
  const updates = some.map(_id => ({ q: { _id }, u: { _id, ...LONG, bytes: Buffer.alloc(9) } }));
  // Beside other tests there may be no room for so large a transaction in the cache of the server.
  const inTime = { logger: createLogger('silent'), signal: new AbortController().signal };
  const stored = (writes: Parameters<typeof write>[1]) =>
    retried(
      () =>
        inSession(db, async session => {
          t.is(await write(many, writes, session), some.length);
        }),
      inTime,
    );
  await stored({ ...noWrites(), inserts });
  await stored({ ...noWrites(), updates });
  t.is(await many.countDocuments({ bytes: { $exists: true } }), some.length);
});
