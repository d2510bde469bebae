// Folders are made with those above them, or there is an error at once.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { UserError } from '../../src/process/errors.ts';
import { makeFolders } from '../../src/process/make-folders.ts';

const MODE = 0o700;

test('all folders are made, and the topmost one is returned', async t => {
  const root = await mkdtemp(join(tmpdir(), 'budgeting-folders-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  t.is(await makeFolders(join(root, 'a', 'b', 'c'), MODE), join(root, 'a'));
  t.is(await makeFolders(join(root, 'a', 'b', 'c'), MODE), null);
  t.is(await makeFolders(join(root, 'a', 'd'), MODE), join(root, 'a', 'd'));
  t.is((await stat(join(root, 'a', 'b'))).mode & 0o777, MODE);
  await writeFile(join(root, 'file'), '');
  await t.throwsAsync(makeFolders(join(root, 'file'), MODE), { code: 'EEXIST' });
  await t.throwsAsync(makeFolders(join(root, 'file', 'x'), MODE), { code: 'ENOTDIR' });
});

test('where there are no folders to have it ends at once, and says so', async t => {
  const root = await mkdtemp(join(tmpdir(), 'budgeting-folders-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const nowhere = join(root, 'nowhere');
  await symlink(join(root, 'missing', 'folder'), nowhere);
  for (const [path, named] of [
    ['/proc/nope/log', '/proc/nope'],
    [nowhere, nowhere],
  ] as const) {
    await t.throwsAsync(makeFolders(path, MODE), {
      instanceOf: UserError,
      message: `Cannot make the folder ${named}: the system has none there, or a link that leads nowhere; name another one`,
    });
  }
});

test('several that make the same folders at once all succeed', async t => {
  const root = await mkdtemp(join(tmpdir(), 'budgeting-folders-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const file = JSON.stringify(
    join(import.meta.dirname, '..', '..', 'src', 'process', 'make-folders.js'),
  );
  const program = `
    import { makeFolders } from ${file};
    for (let round = 0; round < 200; round += 1) {
      await makeFolders(${JSON.stringify(root)} + '/' + round + '/b/c/d', 0o700);
    }`;
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  await t.notThrowsAsync(Promise.all([run(), run(), run()]));
});
