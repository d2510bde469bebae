// The last results of verifications, which the metrics and the alerts are made of.
import type { Db } from 'mongodb';
import {
  lastVerifications,
  recordVerification,
  type Verification,
} from '../../src/store/verifications.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const mongo = useMongo(test);

type Result = Pick<Verification, 'scope'> & Partial<Verification> & { readonly since?: Date };

async function after(db: Db, ...results: readonly Result[]): Promise<(string | number)[][]> {
  const counts = { streams: 1, documents: 1, differences: 0, damages: 0, at: new Date() };
  for (const { since, ...result } of results) {
    const began = new Date(counts.at.getTime() + 1);
    await recordVerification(db, { generation: 'g1', ...counts, ...result }, since ?? began);
  }
  const last = await lastVerifications(db);
  return last.map(({ scope, differences, damages }) => [scope, differences, damages]);
}

const SAMPLE = { scope: 'sample' } as const;
const ALL = { scope: 'all' } as const;
const streamOf = (stream: string) => ({ scope: 'stream', stream }) as const;

test('the last result of a scope replaces the one before', async t => {
  const db = mongo.database('verified');
  t.deepEqual(await after(db, SAMPLE, { ...SAMPLE, differences: 2 }), [['sample', 2, 0]]);
  t.deepEqual(await after(db, { ...SAMPLE, differences: 1 }), [['sample', 1, 0]]);
});

test('what a sample found stays when another sample does not meet it', async t => {
  const db = mongo.database('verified');
  t.deepEqual(await after(db, { ...SAMPLE, damages: 1 }, SAMPLE), [['sample', 0, 1]]);
  t.deepEqual(await after(db, ALL), [['all', 0, 0]], 'all says something about every part');
  t.deepEqual(await after(db, SAMPLE), [
    ['all', 0, 0],
    ['sample', 0, 0],
  ]);
});

test('what was found after a verification began stays, however that one ends', async t => {
  const db = mongo.database('verified');
  const since = new Date(0);
  const found = { ...streamOf('a'), differences: 3 };
  t.deepEqual(await after(db, found, { ...ALL, since }, { ...streamOf('a'), since }), [
    ['all', 0, 0],
    ['stream', 0, 0],
    ['stream', 3, 0],
  ]);
  await mongo.client.db(db.databaseName).collection('verifications').deleteMany({});
  const foundByAll = { ...ALL, differences: 3 };
  t.deepEqual(await after(db, foundByAll, { ...ALL, since }), [['all', 3, 0]]);
  t.deepEqual(await after(db, ALL), [['all', 0, 0]]);
});

test('what one stream had stays when another stream is verified, until that stream is', async t => {
  const db = mongo.database('verified');
  const found = { ...streamOf('a'), differences: 3 };
  t.deepEqual(await after(db, found, { ...streamOf('b'), damages: 1 }), [
    ['stream', 3, 0],
    ['stream', 0, 1],
  ]);
  t.deepEqual(await after(db, streamOf('b')), [
    ['stream', 0, 0],
    ['stream', 3, 0],
  ]);
  t.deepEqual(await after(db, streamOf('a')), [['stream', 0, 0]]);
  t.deepEqual(await after(db, found, ALL), [['all', 0, 0]]);
});
