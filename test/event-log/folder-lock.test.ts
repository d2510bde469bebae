// One writer at a time: a second one learns which process is the first, and takes over from a dead one at once.
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { openWriter } from '../../src/event-log/folder/writer.ts';
import { UserError } from '../../src/process/errors.ts';
import { forkWriter, openForTest, temporaryPath } from './folder-log-under-test.ts';
import { readAll, records, sorted, valuesOf } from './log-under-test.ts';

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

test('a second writer beside a live process is refused, and takes over after SIGKILL', async t => {
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

test('a failed open releases the lock', async t => {
  const folder = await temporaryPath(t);
  await (await openFolderLog(folder)).close();
  const mark = join(folder, 'mark');
  const intact = await readFile(mark);
  await writeFile(mark, 'x');
  await t.throwsAsync(openFolderLog(folder, { writer: true }), { message: /mark is damaged/ });
  await writeFile(mark, intact);
  await openForTest(t, folder, { writer: true });
  t.pass();
});

/** Returns a writer of a new log that another one is about to take over from. */
async function openFrozenWriter(t: ExecutionContext) {
  const folder = await temporaryPath(t);
  const options = { folder, partitions: 4, segmentBytesMax: 100_000_000 };
  await (await openForTest(t, folder, { writer: true })).close();
  return { folder, options, frozen: await openWriter(options) };
}

test('a writer that lost its lock while it stood still writes nothing over what came meanwhile', async t => {
  const { folder, options, frozen } = await openFrozenWriter(t);
  const other = await openWriter(options);
  await other.append(records(20));
  await t.throwsAsync(frozen.append(records(3, 100)), {
    instanceOf: UserError,
    message:
      /^The log did not confirm the records \(Another process has written to the log in .*\)/,
  });
  await other.append(records(5, 20));
  const log = await openForTest(t, folder);
  t.deepEqual(
    sorted((await readAll(log)).map(({ value }) => value)),
    sorted(valuesOf(records(25))),
  );
  await Promise.all([frozen.close(), other.close()]);
});

test('a writer that another one has only begun after writes nothing more', async t => {
  const { folder, options, frozen } = await openFrozenWriter(t);
  const other = await openWriter(options);
  await t.throwsAsync(frozen.append(records(3, 100)), {
    message:
      /^The log did not confirm the records \(Another process has written to the log in .*\)/,
  });
  await other.append(records(5));
  await Promise.all([frozen.close(), other.close()]);
  const values = (await readAll(await openForTest(t, folder))).map(({ value }) => value);
  t.deepEqual(sorted(values), sorted(valuesOf(records(5))));
});

test('a writer that loses its lock in the middle of an append writes nothing more', async t => {
  const { folder, options, frozen } = await openFrozenWriter(t);
  const otherFolder = await temporaryPath(t);
  cpSync(folder, otherFolder, { recursive: true });
  const other = await openWriter({ ...options, folder: otherFolder });
  await other.append(records(20));
  await other.close();
  const text = 'x'.repeat(300_000);
  const large = Array.from({ length: 8 }, (_, index) => {
    const value = JSON.stringify({ subject: 'budget-1', sequence: index + 1, text });
    return { key: 'budget-1', value };
  });
  const appended = Object.assign([...large], {
    *[Symbol.iterator]() {
      // These are written; before the others come, another process has the lock, cuts them off and commits.
      yield* large.slice(0, 4);
      cpSync(otherFolder, folder, { recursive: true });
      yield* large.slice(4);
    },
  });
  await t.throwsAsync(frozen.append(appended), {
    message:
      /^The log did not confirm the records \(Another process has written to the log in .*\)/,
  });
  await frozen.close();
  const log = await openForTest(t, folder);
  const values = (await readAll(log)).map(({ value }) => value);
  t.deepEqual(sorted(values), sorted(valuesOf(records(20))));
});
