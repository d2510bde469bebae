// A projector in a process of its own: projects a folder log and ends once it has caught up, or kills itself before.
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { createLog } from '../../src/log.ts';
import { progressOf } from '../../src/projector/catch-up.ts';
import { runProjector } from '../../src/projector/projector.ts';
import { generationCollections } from '../../src/read-store/collections.ts';
import { openCommitSession } from '../../src/read-store/commit.ts';
import { testStore } from './test-store.ts';

const [url = '', database = '', folder = '', recordsMax = '50', documentsMax = '20000', lifetime] =
  process.argv.slice(2);
const client = await new MongoClient(url, { monitorCommands: true }).connect();
const first = await testStore(client, database);
/** Looks on; what it asks has no part in the life of the projector. */
const onlooker = await new MongoClient(url).connect();
const openStore = () => ({ ...first, session: openCommitSession(client, first.collections) });
const eventLog = await openFolderLog(folder);
if (lifetime) liveFor(Number(lifetime));
const stopping = new AbortController();
const batch = { recordsMax: Number(recordsMax), bytesMax: 1_000_000 };
const projecting = runProjector(
  {
    openStore,
    eventLog,
    group: 'test',
    logger: createLog(process.env.TEST_LOG_LEVEL ?? 'silent'),
    batch,
    documentsMax: Number(documentsMax),
  },
  stopping.signal,
);

/** A life is measured in commands, so that no machine is too fast or too slow for all of them to end amid work. */
function liveFor(commands: number): void {
  let left = commands;
  client.on('commandStarted', () => {
    left -= 1;
    // The last one is on its way by then.
    if (left === 0) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
  });
}

async function stopOnceCaughtUp(): Promise<void> {
  const collections = generationCollections(onlooker.db(database), 'g1');
  const { heads, asides, sweeps } = collections;
  for (;;) {
    const { applied, total } = await progressOf(collections, eventLog);
    // In this order, which is that of the work: a stream stays held between one big change and the next.
    const changing = await heads.countDocuments({ 'held.why': 'change' });
    const beside = (await asides.countDocuments()) + (await sweeps.countDocuments());
    if (applied >= total && changing === 0 && beside === 0) break;
    await sleep(20);
  }
  stopping.abort();
}

try {
  await Promise.all([projecting, stopOnceCaughtUp()]);
} finally {
  await eventLog.close();
  await client.close();
  await onlooker.close();
}
