// An error that no code explains is one line for the person who ran a command; the stack comes when it is asked for.

import { MongoClient } from 'mongodb';
import { test } from '../helpers/file-test.ts';
import { startReplicaSet } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { budgeting } from './started.ts';

test('a command prints no stack unless LOG_LEVEL asks for it', async t => {
  const args = ['--setParameter', 'enableTestCommands=1'];
  const mongo = await startReplicaSet(process.env, { args });
  t.teardown(() => mongo.stop());
  const client = await new MongoClient(mongo.getUri()).connect();
  const data = { failCommands: ['find'], errorCode: 8000 };
  const admin = client.db('admin');
  await admin.command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
  await client.close();
  const env = { MONGODB_URL: mongo.getUri(), DATA_DIR: await temporaryFolder(t) };
  for (const command of [
    ['budget', 'list'],
    ['parked', 'list'],
    ['budget', 'delete', 'b', '--yes'],
  ]) {
    const { code, err } = await budgeting(command, env).ended;
    t.is(code, 1);
    t.regex(
      err,
      /^Stopped by an error that nobody expected: MongoServerError: [^\n]+ \(LOG_LEVEL=debug shows where\)\n$/,
    );
  }
  const { code, err } = await budgeting(['budget', 'list'], { ...env, LOG_LEVEL: 'debug' }).ended;
  t.is(code, 1);
  t.regex(err, /"stack":"MongoServerError: .*\\n +at /);
});
