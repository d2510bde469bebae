import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import test from 'ava';
import { findChromium } from '../../scripts/test/find-chromium.ts';
import { UserError } from '../../src/process/errors.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('CHROMIUM_PATH comes first, then the names on PATH, and null without any', async t => {
  const folder = await temporaryFolder(t);
  const PATH = ['/nowhere', folder].join(delimiter);
  t.is(await findChromium({ PATH }), null);
  t.is(await findChromium({}), null);
  const path = join(folder, 'chromium');
  await writeFile(path, '');
  t.is(await findChromium({ PATH }), null, 'not executable');
  await chmod(path, 0o755);
  t.is(await findChromium({ PATH }), path);
  t.is(await findChromium({ PATH, CHROMIUM_PATH: process.execPath }), process.execPath);
  await t.throwsAsync(findChromium({ PATH, CHROMIUM_PATH: '/no/such/file' }), {
    instanceOf: UserError,
    message: 'Expected CHROMIUM_PATH to name a program, got "/no/such/file"',
  });
});
