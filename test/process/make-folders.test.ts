// Folders are made with those above them, or there is an error at once.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
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

test('where there are no folders to have it ends at once', async t => {
  await t.throwsAsync(makeFolders('/proc/nope/log', MODE), { code: 'ENOENT' });
});
