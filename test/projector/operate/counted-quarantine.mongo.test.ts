// Quarantined records are counted and named although MongoDB's own count of the collection is wrong, as after a crash.
import type { Db } from 'mongodb';
import { systemStatus } from '../../../src/projector/operate/system-status.ts';
import { test } from '../../helpers/file-test.ts';
import { ensureGeneration } from '../../helpers/generation.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { createPartitionScene } from '../partition-scene.ts';

const mongo = useMongo(test);

/** The same database, whose own counts are 0. */
function miscounting(db: Db): Db {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'collection') return value;
      return (...given: Parameters<Db['collection']>) =>
        Object.assign(target.collection(...given), { estimatedDocumentCount: async () => 0 });
    },
  });
}

test('status counts quarantined records itself', async t => {
  const db = mongo.database('quarantined');
  const scene = await createPartitionScene(db);
  await ensureGeneration(db);
  await scene.tell({ key: 'stray', raw: '{"no":"subject"}' }, { key: 'other', raw: 'no JSON' });
  const wrong = miscounting(db);
  t.is(await wrong.collection('g1_quarantine').estimatedDocumentCount(), 0);
  const { generations } = await systemStatus(wrong, scene.eventLog, new Date());
  t.like(generations[0], { id: 'g1', quarantined: 2 });
  t.is(generations[0]?.quarantinedRecords.length, 2);
});
