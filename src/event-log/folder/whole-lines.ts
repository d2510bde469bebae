// Committed bytes of a segment end with a whole line: a segment that was cut short is noticed when the log is opened.
import { type FileHandle, open } from 'node:fs/promises';
import { isMissing } from '../../errors.ts';
import { DamagedLogError } from '../damaged-log-error.ts';
import { segmentFile } from './layout.ts';
import type { MarkedEnd } from './mark.ts';

const LINE_FEED = 0x0a;

/**
 * Checks the committed segments of one partition. What lies in between is checked when it is read.
 *
 * @throws DamagedLogError that names the file
 */
export async function checkSegments(
  folder: string,
  partition: number,
  segments: readonly number[],
  { segment, bytes }: MarkedEnd,
): Promise<void> {
  for (const first of segments) {
    const path = segmentFile(folder, partition, first);
    const handle = await openSegment(path, 'r');
    try {
      await checkEnd(path, handle, first === segment ? bytes : null);
    } finally {
      await handle.close();
    }
  }
}

/** Returns the size of the file. `bytes`: how many of it are committed; null: all of them. */
export async function checkEnd(
  path: string,
  handle: FileHandle,
  bytes: number | null,
): Promise<number> {
  const { size } = await handle.stat();
  const expected = bytes ?? Math.max(size, 1);
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, expected - 1);
  if (size >= expected && last[0] === LINE_FEED) return size;
  throw new DamagedLogError(
    `${path} is damaged: expected at least ${expected} bytes with a whole line at their end, got ${size} bytes; restore the folder from a backup`,
  );
}

export async function openSegment(path: string, flags: 'r' | 'r+'): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new DamagedLogError(`${path} is missing; restore the folder from a backup`, {
      cause: error,
    });
  }
}
