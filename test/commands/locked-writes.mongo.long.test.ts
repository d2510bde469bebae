// A MongoDB that takes no writes, as under fsyncLock: commands end with one line, and a reader says what it waits for.
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from '../helpers/file-test.ts';
import { startOwnMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { budgeting } from './started.ts';

/** What a command took before was more than 25 s. */
const COMMAND_MS_MAX = 20_000;

test('commands and a reader say that the database takes no writes', async t => {
  const mongo = await startOwnMongo();
  t.teardown(() => mongo.stop());
  const env = { MONGODB_URL: mongo.url, DATA_DIR: await temporaryFolder(t), PORT: '0' };
  const { out } = await budgeting(['token', 'issue', '--user', 'anna', '--json'], env).ended;
  const { id } = JSON.parse(out);
  const admin = mongo.client.db('admin');
  await admin.command({ fsync: 1, lock: true });
  let isLocked = true;
  const unlock = async () => {
    if (isLocked) await admin.command({ fsyncUnlock: 1 });
    isLocked = false;
  };
  t.teardown(unlock);
  const startedAtMs = performance.now();
  const reader = budgeting(['serve'], env);
  const changes = [
    budgeting(['token', 'issue', '--user', 'anna'], env),
    budgeting(['token', 'revoke', id], env),
  ];
  for (const { child, ended } of changes) {
    const late = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS_MAX);
    const { code, err } = await ended;
    clearTimeout(late);
    t.is(code, 1);
    t.regex(err, /^MongoDB did not answer in time: Expected [^\n]+, got no answer\. [^\n]+\n$/);
  }
  const waiting = /"msg":"Waiting for MongoDB: Expected the database to answer within 10000 ms/;
  while (!waiting.test(reader.errors()) && performance.now() - startedAtMs < COMMAND_MS_MAX) {
    await sleep(50);
  }
  t.regex(reader.errors(), waiting);
  await unlock();
  await reader.printed(/Read API/);
  reader.child.kill('SIGTERM');
  t.is((await reader.ended).code, 0);
});
