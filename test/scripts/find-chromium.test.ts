import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test from 'ava';
import { findChromium } from '../../scripts/test/find-chromium.ts';
import { UserError } from '../../src/errors.ts';

test('CHROMIUM_PATH goes first, then the names on PATH; none is null', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-chromium-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const PATH = ['/nowhere', folder].join(delimiter);
  t.is(await findChromium({ PATH }), null);
  t.is(await findChromium({}), null);
  const path = join(folder, 'chromium');
  await writeFile(path, '');
  t.is(await findChromium({ PATH }), null, 'it cannot be run');
  await chmod(path, 0o755);
  t.is(await findChromium({ PATH }), path);
  t.is(await findChromium({ PATH, CHROMIUM_PATH: process.execPath }), process.execPath);
  await t.throwsAsync(findChromium({ PATH, CHROMIUM_PATH: '/no/such/file' }), {
    instanceOf: UserError,
    message: 'Expected CHROMIUM_PATH to name a program, got "/no/such/file"',
  });
});
