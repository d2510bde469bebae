// A projector as a separate process: projects a folder log, and ends once it has caught up, or kills itself before.
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { createLogger } from '../../src/process/log.ts';
import { progressOf } from '../../src/projector/catch-up.ts';
import { runProjector } from '../../src/projector/projector.ts';
import { generationCollections } from '../../src/store/collections.ts';
import { dueQueues } from './due-queues.ts';
import { storeOpener, testStore } from './test-store.ts';

const [url = '', database = '', folder = '', recordsMax = '50', rowsMax = '20000', lifetime] =
  process.argv.slice(2);
const client = await new MongoClient(url, { monitorCommands: true }).connect();
const first = await testStore(client, database);
/** Only observes; its commands do not count towards the projector's life. */
const observer = await new MongoClient(url).connect();
const openStore = storeOpener(first);
const eventLog = await openFolderLog(folder);
if (lifetime) liveFor(Number(lifetime));
const stopping = new AbortController();
const batch = { recordsMax: Number(recordsMax), bytesMax: 1_000_000 };
const projecting = runProjector(
  {
    openStore,
    eventLog,
    group: 'test',
    logger: createLogger(process.env.TEST_LOG_LEVEL ?? 'silent'),
    batch,
    rowsMax: Number(rowsMax),
  },
  stopping.signal,
);

/** A life is a number of commands, so that on any machine some lives end in the middle of the work. */
function liveFor(commands: number): void {
  let left = commands;
  client.on('commandStarted', () => {
    left -= 1;
    // The last command is sent before the kill.
    if (left === 0) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
  });
}

async function stopOnceCaughtUp(): Promise<void> {
  const collections = generationCollections(observer.db(database), 'g1');
  const { heads, shadowSets, sweeps } = collections;
  for (;;) {
    const { applied, total } = await progressOf(collections, eventLog);
    // Checked in the order of the work, because a stream stays held between two big changes.
    const changing = await heads.countDocuments({ 'held.why': 'change' });
    const sets = (await shadowSets.countDocuments()) + (await sweeps.countDocuments());
    const leftovers = sets + (await dueQueues(collections)).length;
    if (applied >= total && changing === 0 && leftovers === 0) break;
    await sleep(20);
  }
  stopping.abort();
}

try {
  await Promise.all([projecting, stopOnceCaughtUp()]);
} finally {
  await eventLog.close();
  await client.close();
  await observer.close();
}
