// An embedded log in its own folder for one test, with writers in other processes.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { EventLog, NewRecord } from '../../src/event-log/event-log.ts';
import { type FolderLogOptions, openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { listSegments, segmentFile } from '../../src/event-log/folder/layout.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { type Teardown, temporaryFolder } from '../helpers/temporary-folder.ts';
import type { LogUnderTest } from './log-under-test.ts';

/** Returns a path, still unused, in a folder that is removed when the test ends. */
export async function temporaryPath(t: Teardown): Promise<string> {
  return join(await temporaryFolder(t), 'log');
}

/** Opens a log that is closed when the test ends. */
export async function openForTest(
  t: Teardown,
  folder: string,
  options: FolderLogOptions = {},
): Promise<EventLog> {
  const eventLog = await openFolderLog(folder, options);
  t.teardown(() => eventLog.close());
  return eventLog;
}

export async function createFolderLog(
  t: ExecutionContext,
  options: FolderLogOptions,
): Promise<LogUnderTest> {
  const folder = await temporaryPath(t);
  const partitions = options.partitions ?? 4;
  return {
    partitions,
    open: role => openForTest(t, folder, { ...options, writer: role === 'writer' }),
    appendElsewhere: records => appendInProcess(folder, options, records),
    abandon: records => abandonTail(folder, partitions, records),
  };
}

const WRITER = new URL('./folder-writer.js', import.meta.url);

/** Starts test/event-log/folder-writer.ts. */
export function forkWriter(folder: string, options: FolderLogOptions): ChildProcess {
  return fork(WRITER, [folder, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

async function appendInProcess(
  folder: string,
  options: FolderLogOptions,
  records: readonly NewRecord[],
): Promise<void> {
  const child = forkWriter(folder, options);
  child.send({ records });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The writer left with exit code ${code}`);
}

/** Leaves the remains of a writer that died before its mark: lines, half a line, and one segment too many. */
async function abandonTail(
  folder: string,
  partitions: number,
  records: readonly NewRecord[],
): Promise<void> {
  for (const { key, value } of records) {
    const partition = partitionOf(key, partitions);
    const last = (await listSegments(folder, partition)).at(-1) ?? 0;
    await appendFile(segmentFile(folder, partition, last), `${value}\n`);
  }
  for (let partition = 0; partition < partitions; partition += 1) {
    const last = (await listSegments(folder, partition)).at(-1) ?? 0;
    await appendFile(segmentFile(folder, partition, last), '{"subject":"ha');
    await appendFile(segmentFile(folder, partition, last + 1_000), '{"subject":"budget-1"}\n');
  }
}
