// Damage to a folder by a disk, a person or a restored backup is reported with the name of the file.
import {
  appendFile,
  copyFile,
  cp,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { listSegments, segmentFile } from '../../src/event-log/folder/layout.ts';
import { UserError } from '../../src/process/errors.ts';
import { openForTest, temporaryPath } from './folder-log-under-test.ts';
import { following, readAll, record, records, until, valuesOf } from './log-under-test.ts';

const OPTIONS = { partitions: 1, segmentBytesMax: 500 };

/** Returns a closed log of one partition, with 60 records in several segments. */
async function filledFolder(t: ExecutionContext): Promise<string> {
  const folder = await temporaryPath(t);
  const eventLog = await openFolderLog(folder, { ...OPTIONS, writer: true });
  await eventLog.append(records(60));
  await eventLog.close();
  return folder;
}

async function readFolder(t: ExecutionContext, folder: string): Promise<unknown> {
  return readAll(await openForTest(t, folder));
}

async function refused(
  t: ExecutionContext,
  operation: Promise<unknown>,
  message: RegExp,
): Promise<void> {
  const error = await t.throwsAsync(operation, { instanceOf: UserError });
  t.regex(error?.message ?? '', message);
}

async function lastSegment(folder: string): Promise<string> {
  return segmentFile(folder, 0, (await listSegments(folder, 0)).at(-1) ?? 0);
}

for (const [name, change] of [
  ['with a digit changed', (text: string) => text.replace('"end":60', '"end":61')],
  ['cut short', (text: string) => text.slice(0, 20)],
  ['empty', () => ''],
  ['of zeros', (text: string) => '\0'.repeat(text.length)],
] as const) {
  test(`readers and writers refuse a mark that is ${name}`, async t => {
    const folder = await filledFolder(t);
    const mark = join(folder, 'mark');
    await writeFile(mark, change(await readFile(mark, 'utf8')));
    await refused(t, openFolderLog(folder), /log\/mark is damaged/);
    await refused(t, openFolderLog(folder, { writer: true }), /log\/mark is damaged/);
  });
}

test('a missing mark does not count as an empty log', async t => {
  const folder = await filledFolder(t);
  await rm(join(folder, 'mark'));
  await refused(t, openFolderLog(folder), /log\/mark is missing/);
});

test('a missing or damaged log.json is not recreated while segments exist', async t => {
  const folder = await filledFolder(t);
  await writeFile(join(folder, 'log.json'), '{"format":9,"partitions":1}');
  await refused(t, openFolderLog(folder), /log\.json is damaged or of another version/);
  await writeFile(join(folder, 'log.json'), 'null');
  await refused(t, openFolderLog(folder), /log\.json is damaged or of another version/);
  await rm(join(folder, 'log.json'));
  await refused(t, openFolderLog(folder), /log\.json is missing beside segments/);
});

test('readers and writers refuse a last segment that is shorter than its mark', async t => {
  const folder = await filledFolder(t);
  const path = await lastSegment(folder);
  await truncate(path, 3);
  await refused(t, readFolder(t, folder), /ndjson is damaged: expected at least/);
  await refused(t, openFolderLog(folder, { writer: true }), /ndjson is damaged: expected at least/);
  t.is((await readFile(path)).length, 3);
});

test('a segment whose line ends were converted is refused in words that say so', async t => {
  const folder = await filledFolder(t);
  const path = await lastSegment(folder);
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('\n', '\r\n'));
  await refused(t, openFolderLog(folder), /ndjson is damaged: .*, got a line that goes on beyond/);
});

test('readers and writers refuse a log without its last segment', async t => {
  const folder = await filledFolder(t);
  await rm(await lastSegment(folder));
  await refused(t, openFolderLog(folder), /ndjson is missing/);
  await refused(t, openFolderLog(folder, { writer: true }), /ndjson is missing/);
});

test('an earlier segment with a missing line, an extra line, or no file is refused', async t => {
  const folder = await filledFolder(t);
  const segments = await listSegments(folder, 0);
  const path = segmentFile(folder, 0, segments[1] ?? 0);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
  await refused(t, readFolder(t, folder), /ndjson ends before offset/);
  await writeFile(path, text.slice(0, -1));
  await refused(t, openFolderLog(folder), /ndjson is damaged: .* with a whole line at their end/);
  await writeFile(path, '');
  await refused(t, openFolderLog(folder), /ndjson is damaged: expected at least 1 bytes/);
  await writeFile(path, `${text}${text}`);
  await refused(t, readFolder(t, folder), /holds more lines than were committed/);
  await rm(path);
  await refused(t, readFolder(t, folder), /holds more lines|ends before offset/);
});

test('readers never see an uncommitted tail, and the next writer cuts it off', async t => {
  const folder = await filledFolder(t);
  const path = await lastSegment(folder);
  const whole = await readFile(path);
  await appendFile(path, `${record('a', 900).value}\n{"half`);
  await writeFile(segmentFile(folder, 0, 61), `${record('a', 901).value}\n`);
  const reader = await openForTest(t, folder);
  t.is((await readAll(reader)).length, 60);
  const writer = await openForTest(t, folder, { ...OPTIONS, writer: true });
  t.deepEqual(await readFile(path), whole);
  t.false((await listSegments(folder, 0)).includes(61));
  await writer.append(records(40, 60));
  t.deepEqual(
    (await readAll(reader)).map(one => one.value),
    valuesOf(records(100)),
  );
});

test('a reader reports that its log went back to an older state', async t => {
  const folder = await filledFolder(t);
  const backup = `${folder}-backup`;
  await cp(folder, backup, { recursive: true });
  const reader = await openForTest(t, folder, { pollMs: 20 });
  const writer = await openForTest(t, folder, { ...OPTIONS, writer: true });
  await writer.append(records(5, 60));
  const follower = following(reader, 'older');
  await until(() => follower.values().length === 65, 'all have arrived');
  await rename(join(backup, 'mark'), join(folder, 'mark'));
  await refused(t, follower.ended, /went back: partition 0 ended at 65 and now ends at 60/);
});

test('a mark that cannot be read for a moment ends no subscription', async t => {
  const folder = await filledFolder(t);
  const mark = join(folder, 'mark');
  const writer = await openForTest(t, folder, { ...OPTIONS, writer: true });
  const reader = await openForTest(t, folder, { pollMs: 20 });
  const follower = following(reader, 'moment');
  await until(() => follower.values().length === 60, 'all have arrived');
  await copyFile(mark, `${mark}-kept`);
  // A link to itself cannot be read. It takes the mark's place at once: a mark that is missing is damage.
  await symlink('mark', `${mark}-link`);
  await rename(`${mark}-link`, mark);
  await t.throwsAsync(reader.bounds(0), { message: /ELOOP/ });
  // The subscription looks several times meanwhile.
  await sleep(200);
  await rename(`${mark}-kept`, mark);
  await writer.append(records(5, 60));
  await until(() => follower.values().length === 65, 'what came later has arrived');
  await follower.stop();
});

test('a log without its first segments begins later, and refuses scans before its start', async t => {
  const folder = await filledFolder(t);
  const segments = await listSegments(folder, 0);
  await rm(segmentFile(folder, 0, 0));
  const reader = await openForTest(t, folder);
  t.deepEqual(await reader.bounds(0), { start: segments[1] ?? 0, end: 60 });
  await refused(t, following(reader, 'start').ended, /begins at offset \d+, expected offset 0/);
});

test('a path of a file is refused', async t => {
  const path = await temporaryPath(t);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '');
  await refused(
    t,
    openFolderLog(path),
    /^Cannot open the log in .*: a file stands where a folder is expected \(EEXIST\)/,
  );
});
