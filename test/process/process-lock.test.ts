// A process lock has one holder at a time: others learn who it is, and take over from a dead one without waiting.
import { execFile } from 'node:child_process';
import { mkdir, open, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { isRunning, ownIdentity } from '../../src/process/process-identity.ts';
import { acquireLock } from '../../src/process/process-lock.ts';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Above the largest process number of Linux and macOS, so no process has it. */
const UNUSED_PID = 2 ** 22 + 1;

async function lockFolder(t: ExecutionContext): Promise<string> {
  const folder = join(await temporaryFolder(t), 'lock');
  await mkdir(folder);
  return folder;
}

test('the first process gets the lock, and the second learns who has it until its release', async t => {
  const folder = join(await temporaryFolder(t), 'lock');
  const first = await acquireLock(folder);
  t.deepEqual(await acquireLock(folder), { acquired: false, holderPid: process.pid });
  if (first.acquired) await first.release();
  t.true((await acquireLock(folder)).acquired);
});

for (const [name, text] of [
  [
    'of a process whose number another one reuses',
    JSON.stringify({ pid: process.pid, started: 'some other time' }),
  ],
  ['of a process that has ended', JSON.stringify({ pid: UNUSED_PID, started: '1' })],
  ['emptied by a power cut', ''],
] as const) {
  test(`a lock ${name} is taken over`, async t => {
    const folder = await lockFolder(t);
    await writeFile(join(folder, '000007'), text);
    t.true((await acquireLock(folder)).acquired);
    const holder = JSON.parse(await readFile(join(folder, '000008'), 'utf8'));
    t.deepEqual(holder, await ownIdentity());
    t.deepEqual(await acquireLock(folder), { acquired: false, holderPid: process.pid });
  });
}

test('the lock of a live process of an earlier release is respected, and shows nothing', async t => {
  const folder = await lockFolder(t);
  const { pid, started } = await ownIdentity();
  await writeFile(join(folder, '000007'), JSON.stringify({ pid, started }));
  const began = performance.now();
  t.deepEqual(await acquireLock(folder, 600_000), { acquired: false, holderPid: pid });
  const dead = JSON.stringify({ pid, started: started.replace(/\d+$/, '1') });
  await writeFile(join(folder, '000007'), dead);
  t.true((await acquireLock(folder, 600_000)).acquired);
  t.true(performance.now() - began < 60_000, 'neither is waited for');
});

for (const [what, touches] of [
  ['and shows nothing is taken over', false],
  ['and touches its file is respected', true],
] as const) {
  test(`the lock of a process that is out of sight, in another container, ${what}`, async t => {
    const folder = await lockFolder(t);
    const path = join(folder, '000007');
    const [boot] = (await ownIdentity()).started.split(' ');
    const holder = { pid: process.pid, started: `${boot} 1`, namespace: 'pid:[1]' };
    await writeFile(path, JSON.stringify(holder));
    const touching = setInterval(() => touches && utimes(path, new Date(), new Date()), 100);
    const { acquired } = await acquireLock(folder, 1000);
    clearInterval(touching);
    t.is(acquired, !touches);
  });
}

test('a holder touches its file until it releases the lock', async t => {
  const folder = await lockFolder(t);
  const lock = await acquireLock(folder);
  const path = join(folder, '000001');
  const { mtimeMs } = await stat(path);
  while ((await stat(path)).mtimeMs === mtimeMs) await delay(50);
  if (lock.acquired) await lock.release();
  t.is(await readFile(path, 'utf8'), '');
});

test('one of many contenders gets a stale lock', async t => {
  const folder = await lockFolder(t);
  await writeFile(join(folder, '000001'), '');
  const attempts = await Promise.all(Array.from({ length: 20 }, () => acquireLock(folder)));
  t.is(attempts.filter(({ acquired }) => acquired).length, 1);
});

test('two processes never have the lock at the same time, and few files remain', async t => {
  const folder = await lockFolder(t);
  let holders = 0;
  let turns = 0;
  const contend = async () => {
    while (turns < 60) {
      const lock = await acquireLock(folder);
      if (!lock.acquired) {
        await delay(1);
        continue;
      }
      holders += 1;
      t.is(holders, 1);
      turns += 1;
      await delay(1);
      holders -= 1;
      await lock.release();
    }
  };
  await Promise.all(Array.from({ length: 6 }, contend));
  const names = await readdir(folder);
  t.true(names.length <= 3, names.join(' '));
});

test('a slow contender does not take a number that others have released', async t => {
  const folder = await lockFolder(t);
  const pipe = join(folder, '000004');
  await promisify(execFile)('mkfifo', [pipe]);
  const slow = acquireLock(folder);
  // The pipe opens when the contender reads it; meanwhile two others take the lock and one releases it.
  const answer = await open(pipe, 'w');
  await writeFile(join(folder, '000006'), JSON.stringify(await ownIdentity()));
  await answer.close();
  t.deepEqual(await slow, { acquired: false, holderPid: process.pid });
  t.false((await readdir(folder)).includes('000005'));
});

test('the start time distinguishes processes with the same number', async t => {
  const own = await ownIdentity();
  t.deepEqual(await ownIdentity(), own);
  t.true(await isRunning(own));
  t.false(await isRunning({ pid: 1, started: own.started }));
  t.false(await isRunning({ pid: UNUSED_PID, started: own.started }));
});
