// The order in which files become durable decides what a power cut can destroy; the tests record this order.
import files, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import test from 'ava';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { openForTest, temporaryPath } from './folder-log-under-test.ts';
import { readAll, records } from './log-under-test.ts';

interface Step {
  readonly what: 'made' | 'write' | 'sync' | 'rename' | 'read';
  readonly path: string;
}

/** Records all later operations on files by any code of this process. */
function watchFiles(): Step[] {
  const steps: Step[] = [];
  const { open, rename, readFile } = files;
  files.rename = async (from, to) => {
    await rename(from, to);
    steps.push({ what: 'rename', path: String(to) });
  };
  files.readFile = (async (path: string, options: 'utf8') => {
    const text = await readFile(path, options);
    steps.push({ what: 'read', path: String(path) });
    return text;
  }) as typeof readFile;
  files.open = async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    if (flags === 'w') steps.push({ what: 'made', path: String(path) });
    const note = (name: 'write' | 'writeFile' | 'sync' | 'datasync') => {
      const original = handle[name].bind(handle) as (...given: unknown[]) => Promise<unknown>;
      const noted = async (...given: unknown[]) => {
        const result = await original(...given);
        steps.push({ what: name.startsWith('write') ? 'write' : 'sync', path: String(path) });
        return result;
      };
      Object.assign(handle, { [name]: noted } as Partial<FileHandle>);
    };
    for (const name of ['write', 'writeFile', 'sync', 'datasync'] as const) note(name);
    return handle;
  };
  syncBuiltinESMExports();
  return steps;
}

const steps = watchFiles();

test.serial(
  'a mark follows the lines that it commits, and is durable before the append resolves',
  async t => {
    const folder = await temporaryPath(t);
    const options = { partitions: 2, segmentBytesMax: 150, writer: true };
    const eventLog = await openForTest(t, folder, options);
    for (let first = 0; first < 60; first += 20) {
      steps.length = 0;
      await eventLog.append(records(20, first));
      const done = steps.map(({ what, path }) => `${what} ${relative(folder, path)}`);
      const marked = done.indexOf('rename mark');
      const segments = done.filter(step => step.startsWith('write ') && step.endsWith('.ndjson'));
      t.true(marked > 0 && segments.length > 2);
      for (const step of segments) {
        const path = step.slice('write '.length);
        t.true(done.lastIndexOf(step) < marked);
        t.true(done.slice(done.lastIndexOf(step), marked).includes(`sync ${path}`), path);
      }
      for (const step of done.filter(one => one.startsWith('made ') && one.endsWith('.ndjson'))) {
        const partition = step.slice('made '.length).split('/')[0];
        t.true(done.slice(done.indexOf(step), marked).includes(`sync ${partition}`), step);
      }
      const [written, synced] = ['write', 'sync'].map(what =>
        done.findLastIndex(step => step.startsWith(`${what} mark.`)),
      );
      t.true(0 < Number(written) && Number(written) < Number(synced) && Number(synced) < marked);
      // Sync the folder, which contains the name of the mark; only then does the log read its own mark.
      t.true(done.slice(marked, done.indexOf('read mark', marked)).includes('sync '));
    }
  },
);

test.serial('a reader makes a mark durable before it relies on it', async t => {
  const folder = await temporaryPath(t);
  const writer = await openFolderLog(folder, { writer: true });
  await writer.append(records(5));
  await writer.close();
  steps.length = 0;
  const reader = await openForTest(t, folder);
  await readAll(reader);
  const done = steps.map(({ what, path }) => `${what} ${relative(folder, path)}`);
  t.true(done.slice(done.indexOf('read mark')).includes('sync '));
});

test.serial('a truncation is durable before the next write', async t => {
  const folder = await temporaryPath(t);
  const options = { partitions: 1, writer: true };
  const first = await openFolderLog(folder, options);
  await first.append(records(5));
  await first.close();
  await files.appendFile(`${folder}/0/0000000000000000.ndjson`, '{"half');
  await files.writeFile(`${folder}/0/0000000000000005.ndjson`, '{"half');
  steps.length = 0;
  await openForTest(t, folder, options);
  const done = steps.map(({ what, path }) => `${what} ${relative(folder, path)}`);
  t.true(done.includes('sync 0/0000000000000000.ndjson'));
  t.true(done.includes('sync 0'));
});
