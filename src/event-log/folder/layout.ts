// Files of an embedded log, and the lock that allows one writer of them at a time:
//   log.json                           format and number of partitions
//   mark                               committed ends of the partitions (mark.ts); its drafts end in .tmp
//   lock/                              lock of the writing process (lockWriter)
//   0/0000000000000000.ndjson          segment of partition 0 whose first line has offset 0
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, UserError } from '../../process/errors.ts';
import { acquireLock, type Lock } from '../../process/process-lock.ts';
import { DamagedLogError } from '../event-log.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
export const MARK_FILE = 'mark';
export const META_FILE = 'log.json';
export const LOCK_FOLDER = 'lock';

const OFFSET_DIGITS = 16;
const SEGMENT_NAME = /^(\d{16})\.ndjson$/;

export function partitionFolder(folder: string, partition: number): string {
  return join(folder, String(partition));
}

/** Returns the path of the segment whose first line has the offset `first`. */
export function segmentFile(folder: string, partition: number, first: number): string {
  const name = `${String(first).padStart(OFFSET_DIGITS, '0')}.ndjson`;
  return join(partitionFolder(folder, partition), name);
}

/** Returns the first offsets of a partition's segments, ascending, including uncommitted segments. */
export async function listSegments(folder: string, partition: number): Promise<number[]> {
  const names = await namesIn(partitionFolder(folder, partition));
  return names
    .map(name => SEGMENT_NAME.exec(name)?.[1])
    .filter(digits => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Returns no names if the folder is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Returns the result of an operation on a file that a log cannot be without.
 *
 * @throws DamagedLogError if it is missing
 */
export async function expectFile<T>(path: string, operation: Promise<T>): Promise<T> {
  return await operation.catch(cause => {
    if (!isMissing(cause)) throw cause;
    throw new DamagedLogError(`${path} is missing; restore the folder from a backup`, { cause });
  });
}

/** @throws UserError that names the writing process */
export async function lockWriter(folder: string): Promise<Lock> {
  const lock = await acquireLock(join(folder, LOCK_FOLDER));
  if (lock.acquired) return lock;
  throw new UserError(
    `The log in ${folder} is being written by process ${lock.holderPid}; wait until that has finished or stop it`,
  );
}
