// File operations whose results survive a power cut.
import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, isMissing } from '../../process/errors.ts';
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
 * Writes a durable file beside `path`, whose name is its own: processes that draft the same file do not write into each
 * other's. Returns its path.
 */
export async function writeDraft(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomUUID()}.tmp`;
  const handle = await open(draft, 'wx', FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return draft;
}

/** Creates a file with all its text, also after a power cut. Returns false if it is there already. */
export async function createFile(path: string, text: string): Promise<boolean> {
  const draft = await writeDraft(path, text);
  try {
    await link(draft, path);
  } catch (error) {
    // A writer that begins removes drafts, where this process stood still.
    if (errorCode(error) === 'EEXIST' || isMissing(error)) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
  return true;
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
