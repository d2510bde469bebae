// An earlier copy of the read model is restored under a projector that has nothing to do: it finds that the store holds
// less than it had confirmed, and applies the rest of the log again.
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { runProjector } from '../../src/projector/projector.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { memoryLog } from '../http/memory-log.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { dump, openTestStore, storeOpener } from './test-store.ts';

const mongo = useMongo(test);

type Copy = readonly (readonly [name: string, documents: readonly object[]])[];

async function copyOf({ collections }: ProjectorStore): Promise<Copy> {
  const copies = Object.values(collections).map(async collection => {
    return [collection.collectionName, await collection.find().toArray()] as const;
  });
  return await Promise.all(copies);
}

test('partitions to which nothing comes go on from a checkpoint that was set back', async t => {
  const folder = await temporaryFolder(t);
  const eventLog = await openFolderLog(folder, { partitions: 1 });
  t.teardown(() => eventLog.close());
  const db = mongo.database('set_back');
  const store = await openTestStore(db);
  const openStore = storeOpener(store);
  const { logger, lines } = memoryLog();
  const stopping = new AbortController();
  const options = { openStore, eventLog, group: 'g1', logger, logCheckMs: 50 };
  const running = runProjector(options, stopping.signal);
  t.teardown(() => running.catch(() => {}));
  t.teardown(() => stopping.abort());
  const eventOf = eventMaker('budget-1');
  const applied = (next: number) =>
    eventually(t, async u => {
      u.is((await store.collections.checkpoints.findOne({ _id: 0 }))?.next, next);
    });
  const append = async (...drafts: Parameters<typeof eventOf>[0][]) => {
    const records = drafts.map(draft => JSON.stringify(eventOf(draft)));
    await eventLog.append(records.map(value => ({ key: 'budget-1', value })));
  };
  await append(CREATED, payee('a'));
  await applied(2);
  const copy = await copyOf(store);
  await append(payee('b'), payee('c'));
  await applied(4);
  const before = await dump(store);
  // Checkpoints last, as in a backup that was restored whole.
  const isLast = ([name]: Copy[number]) => name === store.collections.checkpoints.collectionName;
  for (const [name, documents] of [...copy].sort((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
    await db.collection(name).deleteMany({});
    if (documents.length > 0) await db.collection(name).insertMany([...documents]);
  }
  await applied(4);
  t.deepEqual(await dump(store), before);
  const warned = lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  t.deepEqual(warned, ['The store holds less than it had confirmed: claiming everything again']);
});
