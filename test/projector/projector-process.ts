// A projector in a process of its own: projects a folder log and ends once it has caught up, or kills itself before.
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { createLog } from '../../src/log.ts';
import { progressOf } from '../../src/projector/catch-up.ts';
import { runProjector } from '../../src/projector/projector.ts';
import { openCommitSession } from '../../src/read-store/commit.ts';
import { testStore } from './test-store.ts';

const [url = '', database = '', folder = '', recordsMax = '50', documentsMax = '20000', lifeMs] =
  process.argv.slice(2);
const client = await new MongoClient(url).connect();
const first = await testStore(client, database);
const openStore = () => ({ ...first, session: openCommitSession(client, first.collections) });
const log = await openFolderLog(folder);
const stopping = new AbortController();
const batch = { recordsMax: Number(recordsMax), bytesMax: 1_000_000 };
const projecting = runProjector(
  {
    openStore,
    log,
    group: 'test',
    logger: createLog(process.env.TEST_LOG_LEVEL ?? 'silent'),
    batch,
    documentsMax: Number(documentsMax),
  },
  stopping.signal,
);

async function stopOnceCaughtUp(): Promise<void> {
  const { asides, sweeps } = first.collections;
  for (;;) {
    const { applied, total } = await progressOf(first.collections, log);
    const beside = (await asides.countDocuments()) + (await sweeps.countDocuments());
    if (applied >= total && beside === 0) break;
    await sleep(20);
  }
  stopping.abort();
}

// By its own clock, which stands still when its work does.
if (lifeMs !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(lifeMs));

try {
  await Promise.all([projecting, stopOnceCaughtUp()]);
} finally {
  await log.close();
  await client.close();
}
