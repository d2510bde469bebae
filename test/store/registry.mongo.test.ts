// The registry as an older release wrote it.
import { readRegistry } from '../../src/store/registry.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const mongo = useMongo(test);

test('a record without a reason to wait waits for nothing', async t => {
  const db = mongo.database('registry');
  const generation = { id: 'g1', version: 1, state: 'building', reason: null };
  const stored = { active: null, generations: [generation], rejectedVersions: [], made: 1 };
  const registry = db.collection<{ _id: string; revision: number }>('registry');
  await registry.insertOne({ _id: 'registry', revision: 1, ...stored });
  t.like((await readRegistry(db)).generations, [{ ...generation, waitsFor: null }]);
});
