// A disk that is full or read-only gives one line, and the log stays unchanged.
import files, { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { MissingLogError } from '../../src/event-log/event-log.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { segmentFile } from '../../src/event-log/folder/layout.ts';
import { UserError } from '../../src/process/errors.ts';
import { smallDisk } from '../helpers/small-disk.ts';
import { openForTest, temporaryPath } from './folder-log-under-test.ts';
import { readAll, record, records, valuesOf } from './log-under-test.ts';

const FULL = (folder: string) =>
  `Cannot append to the log in ${folder}: the disk is full (ENOSPC); free space on it, then try again. Nothing was appended`;

/** Every write to a file of such a name fails with a full disk, until the returned function is called. */
function fullFor(isFull: (name: string) => boolean): () => void {
  const { open } = files;
  const put = (next: typeof open) => {
    files.open = next;
    syncBuiltinESMExports();
  };
  put((path, ...rest) =>
    isFull(basename(String(path))) ? open('/dev/full', 'w') : open(path, ...rest),
  );
  return () => put(open);
}

for (const writer of [true, false]) {
  test.serial(
    `a failing write of the mark appends nothing (${writer ? 'writer' : 'no writer'})`,
    async t => {
      const folder = await temporaryPath(t);
      const eventLog = await openForTest(t, folder, { partitions: 1, writer });
      await eventLog.append(records(5));
      const free = fullFor(name => name.startsWith('mark.'));
      await t.throwsAsync(eventLog.append(records(5, 5)), {
        instanceOf: UserError,
        message: FULL(folder),
      });
      t.is((await readAll(eventLog)).length, 5);
      free();
      await eventLog.append(records(3, 5));
      t.deepEqual(
        (await readAll(eventLog)).map(({ value }) => value),
        valuesOf(records(8)),
      );
    },
  );
}

test('lines that did not fit are removed at once, because other programs need the space', async t => {
  const disk = await smallDisk(t, 2_000_000);
  if (disk === null) return void t.pass();
  const folder = join(disk.folder, 'log');
  const eventLog = await openForTest(t, folder, { partitions: 1, writer: true });
  await eventLog.append(records(5));
  const { size } = await stat(segmentFile(folder, 0, 0));
  const large = Array.from({ length: 30 }, (_, n) => record('a', n, { memo: 'x'.repeat(100_000) }));
  await t.throwsAsync(eventLog.append(large), { instanceOf: UserError, message: FULL(folder) });
  t.is((await stat(segmentFile(folder, 0, 0))).size, size);
  await writeFile(join(disk.folder, 'somebody else'), 'x'.repeat(1_000_000));
  await eventLog.append(records(3, 5));
  t.is((await readAll(eventLog)).length, 8);
});

test('a writer without room for its lock reports that nothing was appended', async t => {
  const disk = await smallDisk(t, 100_000);
  if (disk === null) return void t.pass();
  const folder = join(disk.folder, 'log');
  await (await openFolderLog(folder)).close();
  await disk.fill();
  const message = `Cannot open the log in ${folder}: the disk is full (ENOSPC); free space on it, then try again. Nothing was appended`;
  await t.throwsAsync(openFolderLog(folder, { writer: true }), { instanceOf: UserError, message });
  await (await openFolderLog(folder)).close();
  await disk.free();
  await (await openFolderLog(folder, { writer: true })).close();
});

test('a log on a read-only disk is readable, and refuses appends', async t => {
  const disk = await smallDisk(t, 100_000);
  if (disk === null) return void t.pass();
  const folder = join(disk.folder, 'log');
  const before = await openFolderLog(folder, { writer: true });
  await before.append(records(5));
  await before.close();
  await disk.readOnly();
  const eventLog = await openForTest(t, folder);
  t.is((await readAll(eventLog)).length, 5);
  await t.throwsAsync(eventLog.append(records(1)), {
    instanceOf: UserError,
    message:
      /^Cannot append .*: the file system is read-only \(EROFS\); .*\. Nothing was appended$/,
  });
});

async function exists(t: ExecutionContext, path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) =>
    t.is(error.code, 'ENOENT'),
  );
  return typeof found === 'object';
}

test('a missing log that must not be created is reported as missing, and stays missing', async t => {
  const folder = await temporaryPath(t);
  for (const writer of [true, false]) {
    await t.throwsAsync(openFolderLog(folder, { writer, create: false }), {
      instanceOf: MissingLogError,
      message: `There is no log in ${folder}`,
    });
    t.false(await exists(t, folder));
  }
  await mkdir(folder);
  await t.throwsAsync(openFolderLog(folder, { create: false }), { instanceOf: MissingLogError });
  await (await openFolderLog(folder)).close();
  await (await openFolderLog(folder, { create: false })).close();
});

test('existing segments of any partition prevent a new log', async t => {
  const folder = await temporaryPath(t);
  const eventLog = await openFolderLog(folder, { partitions: 3, writer: true });
  await eventLog.append(records(20));
  await eventLog.close();
  for (const gone of ['log.json', '0']) await rm(join(folder, gone), { recursive: true });
  const message = /log\.json is missing beside segments/;
  await t.throwsAsync(openFolderLog(folder), { instanceOf: UserError, message });
  await t.throwsAsync(openFolderLog(folder, { create: false }), { instanceOf: UserError, message });
});
