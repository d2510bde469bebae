// A command that stops waiting for the projectors ends with 1, so `rebuild && next` goes no further.
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { test } from '../helpers/file-test.ts';
import { startOwnMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { budgeting } from './started.ts';

test('rebuild that is stopped while no projector builds ends with 1, and the audit trail says unfinished', async t => {
  const mongo = await startOwnMongo();
  t.teardown(() => mongo.stop());
  const folder = await temporaryFolder(t);
  const log = await openFolderLog(`${folder}/log`, { writer: true, create: true });
  await log.append([{ key: 'budget-1', value: '{}' }]);
  await log.close();
  const rebuild = budgeting(['rebuild'], { MONGODB_URL: mongo.url, DATA_DIR: folder });
  await rebuild.printed(/Building generation g1/);
  rebuild.child.kill('SIGTERM');
  const { code, err, audit } = await rebuild.ended;
  t.is(code, 1);
  t.is(err, 'Generation g1 is still being built: see budgeting status\n');
  t.deepEqual(
    audit.map(line => JSON.parse(line).outcome),
    ['unfinished'],
  );
});
