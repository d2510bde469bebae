// A lock file that names the process which holds it; the lock of a process that has died is free.
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';

const ATTEMPTS_MAX = 20;
const RETRY_MS = 50;

export type LockAttempt =
  | { readonly held: true; release(): Promise<void> }
  | { readonly held: false; readonly by: number };

/** Takes the lock, or answers the number of the process that holds it. */
export async function takeLock(path: string): Promise<LockAttempt> {
  const own = JSON.stringify(await ownIdentity());
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (await createFile(path, own)) {
      return { held: true, release: () => rm(path, { force: true }) };
    }
    const text = await readFile(path, 'utf8').catch(() => '');
    const holder = parseHolder(text);
    if (holder !== null && (await isRunning(holder))) return { held: false, by: holder.pid };
    // An empty file may be one that is just being written.
    if (holder === null) await sleep(RETRY_MS);
    if (holder !== null || attempt === ATTEMPTS_MAX - 2) await removeStale(path, text);
  }
  throw new Error(`Cannot take the lock ${path}`);
}

async function createFile(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Renames before it removes: of two processes that find a stale lock, one gets the file. */
async function removeStale(path: string, expected: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    const text = await readFile(aside, 'utf8');
    // Somebody else was faster and this is that process's own lock: give it back.
    if (text !== expected) await rename(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function parseHolder(text: string): ProcessIdentity | null {
  try {
    const { pid, started } = JSON.parse(text) as Partial<ProcessIdentity>;
    return Number.isInteger(pid) && typeof started === 'string'
      ? { pid: Number(pid), started }
      : null;
  } catch {
    return null;
  }
}
