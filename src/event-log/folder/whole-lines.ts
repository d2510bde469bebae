// Checks on opening that the committed bytes of each segment end with a whole line, which detects truncated files.
import { type FileHandle, open } from 'node:fs/promises';
import { DamagedLogError } from '../event-log.ts';
import { expectFile } from './layout.ts';
import type { MarkedEnd } from './mark.ts';

const LINE_FEED = 0x0a;

/**
 * Checks the ends of one partition's committed segments; reading checks the lines before the ends.
 *
 * @throws DamagedLogError that names the file
 */
export async function checkSegments(
  { segment, bytes }: MarkedEnd,
  segments: readonly number[],
  pathOf: (segment: number) => string,
): Promise<void> {
  for (const first of segments) {
    const path = pathOf(first);
    const handle = await expectFile(path, open(path, 'r'));
    try {
      await checkEnd(path, handle, first === segment ? bytes : null);
    } finally {
      await handle.close();
    }
  }
}

/**
 * Returns the size of the file.
 *
 * @param bytes number of committed bytes; null: all of the file
 * @throws DamagedLogError if the file is shorter, or does not end with a whole line there
 */
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
  const got = size < expected ? `${size} bytes` : 'a line that goes on beyond them';
  throw new DamagedLogError(
    `${path} is damaged: expected at least ${expected} bytes with a whole line at their end, got ${got}; restore the folder from a backup`,
  );
}
