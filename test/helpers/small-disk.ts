// A small disk for one test, if this user may mount one.
import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { errorCode } from '../../src/process/errors.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk up to so many free bytes. */
  fill(freeBytes?: number): Promise<void>;
  /** Removes everything that `fill` wrote. */
  free(): Promise<void>;
  readOnly(): Promise<void>;
}

const run = promisify(execFile);
const CHUNK_BYTES = 4096;

/** Returns null if mounting is not allowed; the test then reports that it proves nothing. */
export async function smallDisk(t: ExecutionContext, bytes: number): Promise<SmallDisk | null> {
  const folder = join(await temporaryFolder(t), 'disk');
  await mkdir(folder);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  } catch (error) {
    process.stderr.write(`No disk can be mounted here, "${t.title}" shows nothing: ${error}\n`);
    return null;
  }
  // Teardowns run in reverse order: the folder is removed after this.
  t.teardown(() => run('umount', ['-l', folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill(freeBytes = 0) {
      const file = await open(filler, 'w');
      const chunk = Buffer.alloc(CHUNK_BYTES);
      let filled = 0;
      try {
        for (;;) filled += (await file.write(chunk)).bytesWritten;
      } catch (error) {
        if (errorCode(error) !== 'ENOSPC') throw error;
        await file.truncate(Math.max(0, filled - freeBytes));
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    readOnly: async () => {
      await run('mount', ['-o', 'remount,ro', folder]);
    },
  };
}
