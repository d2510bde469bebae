// Opens the folder of a log or creates it; log.json stores what can never change.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nullIfMissing, UserError } from '../../process/errors.ts';
import { makeFolders } from '../../process/make-folders.ts';
import type { Lock } from '../../process/process-lock.ts';
import { MissingLogError } from '../event-log.ts';
import { createFile, syncFolder } from './durable.ts';
import {
  FOLDER_MODE,
  listSegments,
  lockWriter,
  META_FILE,
  namesIn,
  partitionFolder,
} from './layout.ts';
import { createMark, firstMark, unusedPartitions } from './mark.ts';

const FORMAT = 1;
const PARTITIONS_MAX = 1_024;
const CREATION_WAIT_MS = 5_000;
const CREATION_POLL_MS = 50;

interface Meta {
  readonly format: number;
  readonly partitions: number;
}

export async function makeFolder(folder: string): Promise<void> {
  const made = await makeFolders(folder, FOLDER_MODE);
  if (made !== null) await syncFolder(dirname(made));
}

/** @throws MissingLogError if the folder holds no log */
export async function expectLog(folder: string): Promise<void> {
  if ((await readMeta(folder)) !== null) return;
  await refuseSegments(folder);
  throw new MissingLogError(`log in ${folder}`);
}

/**
 * Returns the number of partitions of the log in an existing folder; creates the log if it is missing.
 *
 * @param wanted the number of partitions of a log that is created
 * @param locked the caller holds the writer's lock
 */
export async function openOrCreate(
  folder: string,
  wanted: number,
  locked: boolean,
): Promise<number> {
  return (await readMeta(folder)) ?? (await create(folder, wanted, locked));
}

/** Returns the number of partitions, or null without a log. */
async function readMeta(folder: string): Promise<number | null> {
  const path = join(folder, META_FILE);
  const text = await nullIfMissing(readFile(path, 'utf8'));
  if (text === null) return null;
  const meta = parseMeta(text);
  if (meta?.format !== FORMAT || !isPartitionCount(meta.partitions)) {
    throw new UserError(
      `${path} is damaged or of another version: expected {"format":${FORMAT},"partitions":…}; restore it from a backup`,
    );
  }
  return meta.partitions;
}

function parseMeta(text: string): Meta | null {
  try {
    return JSON.parse(text) as Meta | null;
  } catch {
    return null;
  }
}

function isPartitionCount(count: unknown): count is number {
  return Number.isInteger(count) && Number(count) >= 1 && Number(count) <= PARTITIONS_MAX;
}

async function create(folder: string, partitions: number, locked: boolean): Promise<number> {
  if (locked) return createLocked(folder, partitions);
  const lock = await lockUnlessMade(folder);
  if (typeof lock === 'number') return lock;
  try {
    // Another process may have created it before this one took the lock.
    return (await readMeta(folder)) ?? (await createLocked(folder, partitions));
  } finally {
    await lock.release();
  }
}

/** Returns the lock, or the number of partitions once the process that holds the lock has created the log. */
async function lockUnlessMade(folder: string): Promise<Lock | number> {
  try {
    return await lockWriter(folder);
  } catch (error) {
    for (let waitedMs = 0; waitedMs < CREATION_WAIT_MS; waitedMs += CREATION_POLL_MS) {
      const made = await readMeta(folder);
      if (made !== null) return made;
      await delay(CREATION_POLL_MS);
    }
    throw error;
  }
}

/**
 * Writes log.json last: a log that has it is complete. Replaces nothing that another process has created, even if that one
 * was stopped before it was done.
 */
async function createLocked(folder: string, wanted: number): Promise<number> {
  await refuseSegments(folder);
  const isFirst = await createMark(folder, firstMark(wanted));
  const partitions = isFirst ? wanted : await unusedPartitions(folder);
  if (partitions === null)
    return (await readMeta(folder)) ?? throwWithoutMeta(folder, 'a mark that a writer has left');
  for (let partition = 0; partition < partitions; partition += 1) {
    await makeFolders(partitionFolder(folder, partition), FOLDER_MODE);
  }
  const meta: Meta = { format: FORMAT, partitions };
  await createFile(join(folder, META_FILE), `${JSON.stringify(meta)}\n`);
  return (await readMeta(folder)) ?? partitions;
}

/** Refuses a folder with segments but without log.json: a new log would delete those events. */
async function refuseSegments(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!/^\d+$/.test(name) || (await listSegments(folder, Number(name))).length === 0) continue;
    throwWithoutMeta(folder, 'segments');
  }
}

function throwWithoutMeta(folder: string, beside: string): never {
  throw new UserError(
    `${join(folder, META_FILE)} is missing beside ${beside}; restore it from a backup`,
  );
}
