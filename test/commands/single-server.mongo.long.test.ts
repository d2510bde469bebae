// A MongoDB outside a replica set is bad configuration (rules/running.md#bad-configuration): one clear line and exit code 2.
import { join } from 'node:path';
import test from 'ava';
import { startSingleMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { budgeting } from './started.ts';

test('every command refuses a server without transactions', async t => {
  const server = await startSingleMongo();
  t.teardown(server.stop);
  const folder = await temporaryFolder(t);
  for (const args of [
    ['serve'],
    ['project'],
    ['start', '--empty'],
    ['token', 'list'],
    ['status'],
  ]) {
    const env = { MONGODB_URL: server.url, DATA_DIR: join(folder, args[0] ?? ''), PORT: '0' };
    const started = budgeting(args, env);
    t.teardown(() => started.child.kill('SIGKILL'));
    const { code, err } = await started.ended;
    t.is(code, 2, args[0]);
    t.regex(
      err,
      /^Expected MONGODB_URL to name a replica set or a sharded cluster, got a single server at .*\n$/,
    );
  }
});
