// Imports that are killed, on the folder log of `npm start`.
import { join } from 'node:path';
import test from 'ava';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { readAll } from '../event-log/log-under-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { killImports } from './import-kill-scene.ts';
import { budgeting } from './started.ts';

test('a killed import leaves all or nothing in the folder log, and the next one goes through', async t => {
  const data = join(await temporaryFolder(t), 'data');
  const env = { DATA_DIR: data, PORT: '0', LOG_LEVEL: '' };
  const started = budgeting(['start', '--empty'], env);
  t.teardown(async () => {
    started.child.kill('SIGTERM');
    await started.ended;
  });
  await started.printed(/Read API/);
  await killImports(t, 1, {
    run: (...args) => budgeting(args, env),
    async subjects() {
      const log = await openFolderLog(join(data, 'log'), {});
      const records = await readAll(log).finally(() => log.close());
      return records.map(({ key }) => key ?? '');
    },
  });
});
