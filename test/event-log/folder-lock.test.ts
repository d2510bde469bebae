// One writer at a time: a live one is named, a dead one is not waited for.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { UserError } from '../../src/errors.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { acquireLock } from '../../src/event-log/folder/lock.ts';
import { processIdentity } from '../../src/event-log/folder/process-identity.ts';
import { forkWriter, openForTest, temporaryPath } from './folder-log-under-test.ts';
import { readAll, records } from './log-under-test.ts';

async function lockFolder(t: ExecutionContext): Promise<string> {
  const folder = await temporaryPath(t);
  await mkdir(folder);
  return folder;
}

test('a second writer in the same process is refused until the first has closed', async t => {
  const folder = await temporaryPath(t);
  const first = await openForTest(t, folder, { writer: true });
  const error = await t.throwsAsync(openFolderLog(folder, { writer: true }), {
    instanceOf: UserError,
  });
  t.is(
    error?.message,
    `The log in ${folder} is being written by process ${process.pid}; wait until that has finished or stop it`,
  );
  await first.close();
  const second = await openForTest(t, folder, { writer: true });
  await second.append(records(1));
  t.is((await readAll(second)).length, 1);
});

test('a second writer beside a live process is refused, after SIGKILL it takes over', async t => {
  const folder = await temporaryPath(t);
  const child = forkWriter(folder, {});
  t.teardown(() => child.kill('SIGKILL'));
  child.send({ first: 1 });
  await once(createInterface({ input: child.stdout ?? process.stdin }), 'line');
  const naming = { instanceOf: UserError, message: new RegExp(`by process ${child.pid};`) };
  await t.throwsAsync(openFolderLog(folder, { writer: true }), naming);
  const reader = await openForTest(t, folder);
  await t.throwsAsync(reader.append(records(1)), naming);
  t.true((await readAll(reader)).length > 0);
  const left = once(child, 'exit');
  child.kill('SIGKILL');
  await left;
  const writer = await openForTest(t, folder, { writer: true });
  const before = (await readAll(writer)).length;
  await writer.append(records(3));
  t.is((await readAll(writer)).length, before + 3);
});

test('a failed opening gives the lock back', async t => {
  const folder = await temporaryPath(t);
  await (await openFolderLog(folder, { partitions: 2 })).close();
  await t.throwsAsync(openFolderLog(folder, { partitions: 3, writer: true }));
  await openForTest(t, folder, { writer: true });
  t.pass();
});

for (const [name, owner] of [
  ['of a process that has the number of a dead one', { pid: process.pid, identity: 'of another' }],
  ['of a process that is no more', { pid: 2 ** 22 + 1, identity: 'none' }],
  ['that a power cut has emptied', null],
] as const) {
  test(`a lock ${name} is taken over`, async t => {
    const folder = await lockFolder(t);
    const text = owner === null ? '' : JSON.stringify(owner);
    await writeFile(join(folder, 'writer.000007.lock'), text);
    await acquireLock(folder);
    const holder = JSON.parse(await readFile(join(folder, 'writer.000008.lock'), 'utf8'));
    t.is(holder.pid, process.pid);
    await t.throwsAsync(acquireLock(folder), { instanceOf: UserError });
  });
}

test('of many that want a stale lock one gets it', async t => {
  const folder = await lockFolder(t);
  await writeFile(join(folder, 'writer.000001.lock'), '');
  const wants = Array.from({ length: 20 }, () => acquireLock(folder));
  const results = await Promise.allSettled(wants);
  t.is(results.filter(result => result.status === 'fulfilled').length, 1);
});

test('the lock is never held twice, however it goes from hand to hand, and leaves little behind', async t => {
  const folder = await lockFolder(t);
  let holders = 0;
  let turns = 0;
  const work = async () => {
    while (turns < 60) {
      const lock = await acquireLock(folder).catch(() => null);
      if (lock === null) {
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
  await Promise.all(Array.from({ length: 6 }, work));
  const names = await readdir(folder);
  t.true(names.length <= 3, names.join(' '));
});

test('a contender that was slow does not take a number that others have left behind', async t => {
  const folder = await lockFolder(t);
  const pipe = join(folder, 'writer.000004.lock');
  await promisify(execFile)('mkfifo', [pipe]);
  const slow = acquireLock(folder);
  // Opening the pipe waits until the contender reads it; meanwhile two others come and one goes.
  const answer = await open(pipe, 'w');
  const owner = { pid: process.pid, identity: await processIdentity(process.pid) };
  await writeFile(join(folder, 'writer.000006.lock'), JSON.stringify(owner));
  await answer.close();
  await t.throwsAsync(slow, { instanceOf: UserError });
  t.false((await readdir(folder)).includes('writer.000005.lock'));
});

test('a process is told from others by its start', async t => {
  const own = await processIdentity(process.pid);
  t.is(await processIdentity(process.pid), own);
  t.not(own, null);
  t.not(await processIdentity(1), own);
  t.is(await processIdentity(2 ** 22 + 1), null);
});
