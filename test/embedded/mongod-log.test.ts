// What is said of a mongod that does not start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startFailure } from '../../src/embedded/mongod-log.ts';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('a clock that is far behind is named, and nothing is moved away for it', async t => {
  const folder = await temporaryFolder(t);
  const child = spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  const files = { db: join(folder, 'db'), key: '', log: join(folder, 'log') };
  const cause = new Error(
    "New $clusterTime, 1795889340, is too far from this node's wall clock time, 1761329353.",
  );
  const { message } = await startFailure({ child, files, logFrom: 0 }, cause);
  t.is(
    message,
    `MongoDB ended (0) on ${files.db}: this machine's clock says 2025-10-24, and the folder was written until 2026-11-28; set the clock, and start again`,
  );
});
