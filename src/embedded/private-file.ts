// JSON files that only their owner can read, replaced atomically.
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileErrorCode } from '../process/file-errors.ts';

export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Returns the file's value, or null if the file is missing or no JSON. */
export async function readPrivateJson<T>(path: string): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch(error => {
    if (fileErrorCode(error) !== null) throw error;
    return '';
  });
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
