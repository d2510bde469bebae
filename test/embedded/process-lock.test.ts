import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { ownIdentity } from '../../src/embedded/process-identity.ts';
import { takeLock } from '../../src/embedded/process-lock.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Above the largest process number of Linux and macOS. */
const NOBODY = 2 ** 22 + 1;

test('the first one gets the lock, the second one hears who has it, until it is released', async t => {
  const path = join(await temporaryFolder(t), 'lock');
  const first = await takeLock(path);
  t.true(first.held);
  t.deepEqual(await takeLock(path), { held: false, by: process.pid });
  if (first.held) await first.release();
  t.true((await takeLock(path)).held);
});

test('the lock of a process that has died is free', async t => {
  const path = join(await temporaryFolder(t), 'lock');
  await writeFile(path, JSON.stringify({ pid: NOBODY, started: '1' }));
  t.true((await takeLock(path)).held);
  t.deepEqual(JSON.parse(await readFile(path, 'utf8')), await ownIdentity());
});

test('a process number that another process has now holds no lock', async t => {
  const path = join(await temporaryFolder(t), 'lock');
  await writeFile(path, JSON.stringify({ pid: process.pid, started: 'some other time' }));
  t.true((await takeLock(path)).held);
});

test('a lock file without sense, left by a full disk say, is free', async t => {
  const path = join(await temporaryFolder(t), 'lock');
  await writeFile(path, '');
  t.true((await takeLock(path)).held);
});

test('of many that find a stale lock at once exactly one gets it, and nothing is left over', async t => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'lock');
  await writeFile(path, JSON.stringify({ pid: NOBODY, started: '1' }));
  const attempts = await Promise.all(Array.from({ length: 8 }, () => takeLock(path)));
  t.is(attempts.filter(({ held }) => held).length, 1);
  t.deepEqual(await readdir(folder), ['lock']);
});
