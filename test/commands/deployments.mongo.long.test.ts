// Two deployments on one replica set, kept apart by the path of MONGODB_URL.
import test, { type ExecutionContext } from 'ava';
import { type StartedMongo, startMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { budgeting } from './started.ts';

let mongo: StartedMongo;
test.before(async () => {
  const { TEST_MONGODB_URL: _, ...own } = process.env;
  mongo = await startMongo(own);
});
test.after.always(async () => {
  await mongo?.stop();
});

async function projectorOf(t: ExecutionContext, name: string): Promise<NodeJS.ProcessEnv> {
  const url = new URL(mongo.url);
  url.pathname = name;
  const env = { MONGODB_URL: url.href, DATA_DIR: await temporaryFolder(t) };
  const projector = budgeting(['project'], env);
  t.teardown(async () => {
    projector.child.kill('SIGTERM');
    await projector.ended;
  });
  await projector.printed(/^Projecting /m);
  return env;
}

test('each has its own read model and its own tokens', async t => {
  const prefixed = await projectorOf(t, '/home');
  const issued = await budgeting(['token', 'issue', '--user', 'anna'], prefixed).ended;
  t.is(issued.code, 0, issued.err);
  const plain = await projectorOf(t, '/');
  const listed = await budgeting(['token', 'list'], plain).ended;
  t.deepEqual([listed.code, listed.out], [0, 'No tokens\n']);
  t.regex((await budgeting(['token', 'list'], prefixed).ended).out, /user +anna/);
  const { databases } = await mongo.client.db('admin').admin().listDatabases();
  const names = databases.map(({ name }) => name).filter(name => name.includes('budgeting'));
  t.deepEqual(names.sort(), [
    'budgeting',
    'budgeting_access',
    'home_budgeting',
    'home_budgeting_access',
  ]);
});
