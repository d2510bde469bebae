// A database that goes away before anything is appended: the command says that nothing was.
import { join } from 'node:path';
import test from 'ava';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { readAll } from '../event-log/log-under-test.ts';
import { startOwnMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { stubLog } from '../projector/log-in-memory.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { budgeting } from './started.ts';

test('append says that nothing was appended where the database went away before', async t => {
  const folder = await temporaryFolder(t);
  const mongo = await startOwnMongo();
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= mongo.stop();
    return stopped;
  };
  t.teardown(stop);
  const db = mongo.client.db('budgeting');
  await createPartitionScene(db, { generation: 'g1', eventLog: stubLog() });
  const now = new Date();
  await changeRegistry(db, read => switched(withNew(read, PROJECTIONS_VERSION, now), 'g1', now));
  const appending = budgeting(['append', '-'], { MONGODB_URL: mongo.url, DATA_DIR: folder });
  const eventOf = eventMaker('budget-1');
  const events = Array.from({ length: 4000 }, (_, index) =>
    eventOf(index === 0 ? CREATED : payee(`payee-${index}`)),
  );
  const input = events.map(event => `${JSON.stringify(event)}\n`).join('');
  t.true(input.length > 500_000);
  const { stdin } = appending.child;
  // More than a pipe holds: when it is written, the command reads, and has opened what it needs.
  await new Promise(done => stdin?.write(input, done));
  await stop();
  stdin?.end();
  const { code, err, out } = await appending.ended;
  t.deepEqual([code, out], [1, '']);
  t.regex(err, /^MongoDB was away for a moment: [^\n]+\. Nothing was appended\n$/);
  const log = await openFolderLog(join(folder, 'log'), {});
  t.deepEqual(await readAll(log).finally(() => log.close()), []);
});
