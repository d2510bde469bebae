// File operations whose results survive a power cut.
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FILE_MODE } from './layout.ts';

/** Makes changes to the names in a folder (files created, renamed, removed) durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a file atomically: a reader finds the old or the new text, also after a power cut.
 *
 * @param check comes last of all; the file stays as it is when it throws
 */
export async function replaceFile(
  path: string,
  text: string,
  check = async () => {},
): Promise<void> {
  const draft = `${path}.tmp`;
  const handle = await open(draft, 'w', FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await check();
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Writes all bytes at a position of the file; a single system call may write fewer. */
export async function writeAt(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const rest = bytes.length - written;
    const result = await handle.write(bytes, written, rest, position + written);
    written += result.bytesWritten;
  }
}
