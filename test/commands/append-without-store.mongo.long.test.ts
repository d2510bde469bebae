// A database that goes away before anything is appended: the command says that nothing was.
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { MongoClient } from 'mongodb';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { readAll } from '../event-log/log-under-test.ts';
import { startOwnMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { startFailingMongo } from '../projector/failing-mongo.ts';
import { stubLog } from '../projector/log-in-memory.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { budgeting } from './started.ts';

const SAID = /^MongoDB was away for a moment: [^\n]+\. Nothing was appended\n$/;

/** Makes a read model; returns what starts `append -` on it, and what reads its log. */
async function appending(t: ExecutionContext, client: MongoClient) {
  const db = client.db('budgeting');
  await createPartitionScene(db, { generation: 'g1', eventLog: stubLog() });
  const now = new Date();
  await changeRegistry(db, read => switched(withNew(read, PROJECTIONS_VERSION, now), 'g1', now));
  const folder = await temporaryFolder(t);
  const { hosts, replicaSet } = client.options;
  const url = `mongodb://${hosts.join(',')}/?replicaSet=${replicaSet}`;
  return {
    append() {
      const started = budgeting(['append', '-'], { MONGODB_URL: url, DATA_DIR: folder });
      // It may end before it has read everything.
      started.child.stdin?.on('error', () => {});
      return started;
    },
    async records() {
      const log = await openFolderLog(join(folder, 'log'), {});
      return await readAll(log).finally(() => log.close());
    },
  };
}

/** More than a pipe holds: when it is written, the command reads, and has opened what it needs. */
const INPUT = (() => {
  const eventOf = eventMaker('budget-1');
  const drafts = Array.from({ length: 4000 }, (_, index) => payee(`payee-${index}`));
  return [CREATED, ...drafts].map(draft => `${JSON.stringify(eventOf(draft))}\n`).join('');
})();

test('where it goes away while the input is read', async t => {
  const mongo = await startOwnMongo();
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= mongo.stop();
    return stopped;
  };
  t.teardown(stop);
  const { append, records } = await appending(t, mongo.client);
  const { child, ended } = append();
  await new Promise(done => child.stdin?.write(INPUT, done));
  await stop();
  child.stdin?.end();
  const { code, err, out } = await ended;
  t.deepEqual([code, out], [1, '']);
  t.regex(err, SAID);
  t.deepEqual(await records(), []);
});

test('where a read fails at the start, twice because the driver repeats it', async t => {
  const mongo = await startFailingMongo();
  t.teardown(() => mongo.stop());
  const { append } = await appending(t, mongo.client);
  await mongo.fail(2, ['find'], { closeConnection: true, appName: 'budgeting' });
  const { child, ended } = append();
  child.stdin?.end(INPUT);
  const { code, err, out } = await ended;
  t.deepEqual([code, out], [1, '']);
  t.regex(err, SAID);
});
